import { validateAdapter } from '../../config/adapter-schema.js';
import type { WrittenAdapter } from '../../config/load.js';
import type { Fault } from '../../core/fault.js';
import type { CompileSchema } from '../../core/schema.js';
import type { AdapterConfig } from './desired-state.js';
import { toConfigSection } from './config-section.js';
import { checkOptions } from './plugin-options.js';
import type { Plugins } from '../../adapters/plugins.js';

/** What reading an adapter needs besides the adapter. */
export interface DesireDeps {
  readonly compile: CompileSchema;
  readonly plugins: Plugins;
}

/** An adapter of the files, and what is wrong with it. */
export interface CheckedAdapterConfig {
  /** Absent without a plugin. */
  readonly adapter?: AdapterConfig;
  readonly faults: readonly Fault[];
}

/** An adapter as written, with its plugin and with everything that is wrong with it; without a plugin it is only its faults. */
export async function desireAdapter(
  written: WrittenAdapter,
  { plugins, compile }: DesireDeps,
): Promise<CheckedAdapterConfig> {
  const { id } = written;
  const options = await checkOptions(written, plugins, compile);
  const { piece: section, faults } = toConfigSection(id, options.written, (value) => {
    const common = validateAdapter(value, compile);
    const own = options.validate(value);
    return {
      violations: [...common.violations, ...own.violations],
      secrets: [...common.secrets, ...own.secrets],
      paths: [...common.paths, ...own.paths],
    };
  });
  const all = [...options.faults, ...faults];
  const { plugin, unusable } = options;
  if (!plugin) return { faults: all };
  return { adapter: { ...section, id, plugin, ...(unusable !== undefined && { unusable }) }, faults: all };
}
