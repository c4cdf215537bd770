import { fileURLToPath } from 'node:url';
import { asSettings } from './config/settings-schema.js';
import { ConfigError, type Fault } from './domain/fault.js';
import type { Settings } from './domain/settings.js';
import { compileSchema } from './json-schema/compile.js';
import { type Desired, readDesired } from './runtime/desired.js';
import { placeFault } from './runtime/piece.js';
import { findPlugins, type Plugins } from './runtime/plugins.js';
import { checkVaultSettings } from './secrets/check-settings.js';

/** The plugins that come with the product, next to the compiled sources. */
const PLUGINS = fileURLToPath(new URL('../plugins', import.meta.url));

export interface PrepareInput {
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads a configuration again whenever it is asked to; the plugins are found once. */
export interface Preparation {
  readonly plugins: Plugins;
  read(): Promise<{ readonly desired: Desired; readonly faults: readonly Fault[] }>;
}

/** What `start`, `check` and `token` begin with: everything that can be known by reading files. */
export async function prepare({ configPath, env }: PrepareInput): Promise<Preparation> {
  const plugins = await findPlugins(PLUGINS);
  return {
    plugins,
    async read() {
      const { desired, faults } = await readDesired({
        path: configPath,
        env,
        compile: compileSchema,
        plugins,
      });
      return { desired, faults: [...faults, ...vaultFaults(desired, faults, env)] };
    },
  };
}

/** The main file as written, for what never comes from Vault. Throws the faults as a ConfigError. */
export function settingsOf({ desired, faults }: Awaited<ReturnType<Preparation['read']>>): Settings {
  if (faults.length > 0) throw new ConfigError(faults);
  return asSettings(desired.main.written.value);
}

function vaultFaults(desired: Desired, faults: readonly Fault[], env: PrepareInput['env']): readonly Fault[] {
  // Settings that are not valid as written cannot be looked at as settings.
  if (faults.some(({ code }) => code === 'schema' || code === 'yaml' || code === 'file')) return [];
  const { written } = desired.main;
  const { vault } = asSettings(written.value);
  if (!vault) return [];
  return checkVaultSettings(vault, env).map((fault) =>
    placeFault(written, { ...fault, pointer: `/vault${fault.pointer}` }),
  );
}
