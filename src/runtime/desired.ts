import { validateAdapter } from '../config/adapter-schema.js';
import { loadConfig, type WrittenAdapter } from '../config/load.js';
import { validateMain } from '../config/settings-schema.js';
import type { AdapterPlugin } from '../domain/adapter.js';
import type { Fault } from '../domain/fault.js';
import { valueAt } from '../domain/pointer.js';
import type { CompileSchema } from '../domain/schema.js';
import { type Piece, toPiece } from './piece.js';
import { checkOptions } from './plugin-options.js';
import type { Plugins } from './plugins.js';
import { referenceSyntax } from './reference-syntax.js';
import { misplacedReferences } from './misplaced-references.js';
import { withoutCiphertext } from './without-ciphertext.js';

/** One adapter as written, with the plugin that it names. */
export interface DesiredAdapter extends Piece {
  readonly id: string;
  readonly plugin: AdapterPlugin;
}

/** What the operator asks for: read, valid as written, and nothing done about it yet. */
export interface Desired {
  readonly main: Piece;
  readonly adapters: readonly DesiredAdapter[];
}

export interface DesiredInput {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compile: CompileSchema;
  readonly plugins: Plugins;
}

/** Reads every file and checks it as far as can be without opening anything; all faults of all files in one run. */
export async function readDesired(
  input: DesiredInput,
): Promise<{ desired: Desired; faults: readonly Fault[] }> {
  const { path, env, compile } = input;
  const config = await loadConfig({ path, env, compile, syntax: referenceSyntax });
  const main = toPiece('', config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => desireAdapter(written, input)));
  return {
    desired: { main: main.piece, adapters: adapters.flatMap(({ adapter }) => adapter ?? []) },
    faults: withoutCiphertext([
      ...config.faults,
      ...main.faults,
      ...misplacedReferences(main.piece),
      ...adapters.flatMap(({ faults }) => faults),
    ]),
  };
}

async function desireAdapter(
  written: WrittenAdapter,
  { plugins, compile }: DesiredInput,
): Promise<{ adapter?: DesiredAdapter; faults: readonly Fault[] }> {
  const { id } = written;
  const options = await checkOptions(written, plugins, compile);
  const { piece, faults } = toPiece(id, options.written, (value) => {
    const common = validateAdapter(value, compile);
    const own = options.validate(value);
    return {
      violations: [...common.violations, ...own.violations],
      secrets: [...common.secrets, ...own.secrets],
      paths: [...common.paths, ...own.paths],
    };
  });
  const all = [...options.faults, ...faults];
  return options.plugin
    ? { adapter: { ...piece, id, plugin: options.plugin }, faults: all }
    : { faults: all };
}

/** The pieces whose secrets are needed: an adapter that is switched off needs none. */
export function enabledPieces({ main, adapters }: Desired): readonly Piece[] {
  return [main, ...adapters.filter(isEnabled)];
}

/** True unless the operator switched the adapter off. */
export function isEnabled({ written }: Piece): boolean {
  return valueAt(written.value, '/enabled') !== false;
}
