import { type Fault, faultAt } from '../../core/fault.js';
import { buildAdapter } from './build-adapter.js';
import type { BuildInput } from './build-input.js';
import type { DesiredAdapter } from './desired-state.js';
import type { ConfigSection } from './config-section.js';
import type { ResolvedSection } from './resolve-sections.js';

/** Builds an adapter and throws it away: everything that stands in its way, as far as it can be known without a connection. */
export async function tryAdapter(
  adapter: DesiredAdapter,
  resolved: ResolvedSection,
  input: BuildInput,
): Promise<readonly Fault[]> {
  const built = await buildAdapter(adapter, resolved, input);
  if ('faults' in built) return built.faults;
  const state = built.instance.state();
  await built.instance.close();
  return state.name === 'DEAD' ? [deadFault(adapter, state.reason)] : [];
}

/** The faults without those of values that stand in for secrets: without the values, nothing can be said there. */
export function withoutPlaceholders(
  { written, references }: ConfigSection,
  faults: readonly Fault[],
): readonly Fault[] {
  const places = new Set(references.map(({ pointer }) => written.at + pointer));
  return faults.filter(({ pointer }) => !places.has(pointer));
}

function deadFault({ written }: ConfigSection, reason: string): Fault {
  const fix = 'Compare the options with the README of the plugin; its author may have to repair it.';
  return faultAt(written.document, `${written.at}/plugin`, { code: 'plugin', message: reason, fix });
}
