import { type CheckedAdapter, loadConfig, type WrittenAdapter } from '../../config/load.js';
import type { Readings } from '../../config/readings.js';
import { validateMain } from '../../config/settings-schema.js';
import type { Fault } from '../../core/fault.js';
import { type CheckedAdapterConfig, type DesireDeps, desireAdapter } from './check-adapter.js';
import type { DesiredFiles, AdapterConfig } from './desired-state.js';
import { misplacedReferences } from './misplaced-references.js';
import { toConfigSection } from './config-section.js';
import { referenceSyntax } from './reference-syntax.js';
import { withoutCiphertext } from './without-ciphertext.js';

export interface FilesInput extends DesireDeps {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly known: KnownFiles;
}

/** What former readings came to, for files that nobody has touched since. */
export interface KnownFiles {
  readonly readings: Readings<CheckedAdapter>;
  /** By what {@link readings} keeps. */
  readonly adapters: WeakMap<WrittenAdapter, AdapterConfig>;
}

/** Reads every file and checks it as far as can be without opening anything; all faults of all files in one run. */
export async function readFiles(
  input: FilesInput,
): Promise<{ readonly files: DesiredFiles; readonly faults: readonly Fault[] }> {
  const { path, env, compile, known } = input;
  const { readings } = known;
  const config = await loadConfig({ path, env, compile, syntax: referenceSyntax, readings });
  const main = toConfigSection('', config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => toDesired(written, input)));
  return {
    files: { main: main.piece, adapters: adapters.flatMap(({ adapter }) => adapter ?? []) },
    faults: withoutCiphertext([
      ...config.faults,
      ...main.faults,
      ...misplacedReferences(main.piece),
      ...adapters.flatMap(({ faults }) => faults),
    ]),
  };
}

/** As before where nothing about it can be another: its file is the same, and its plugin looks at nothing else. */
async function toDesired(written: WrittenAdapter, input: FilesInput): Promise<CheckedAdapterConfig> {
  const { adapters } = input.known;
  const known = adapters.get(written);
  if (known) return { adapter: known, faults: [] };
  const desired = await desireAdapter(written, input);
  const { adapter, faults } = desired;
  if (adapter && faults.length === 0 && adapter.unusable === undefined && !adapter.plugin.optionsFor)
    adapters.set(written, adapter);
  return desired;
}
