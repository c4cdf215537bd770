import { loadConfig } from '../config/load.js';
import { validateMain } from '../config/settings-schema.js';
import type { Fault } from '../domain/fault.js';
import { type DesireDeps, desireAdapter } from './desire-adapter.js';
import type { DesiredFiles } from './desired.js';
import { misplacedReferences } from './misplaced-references.js';
import { toPiece } from './piece.js';
import { referenceSyntax } from './reference-syntax.js';
import { withoutCiphertext } from './without-ciphertext.js';

export interface FilesInput extends DesireDeps {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads every file and checks it as far as can be without opening anything; all faults of all files in one run. */
export async function readFiles(
  input: FilesInput,
): Promise<{ readonly files: DesiredFiles; readonly faults: readonly Fault[] }> {
  const { path, env, compile } = input;
  const config = await loadConfig({ path, env, compile, syntax: referenceSyntax });
  const main = toPiece('', config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => desireAdapter(written, input)));
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
