import { isDeepStrictEqual } from 'node:util';
import { readDocument } from '../../config/document.js';
import { loadConfig, type LoadedConfig } from '../../config/load.js';
import { readText } from '../../config/read-text.js';
import { replaceScalars } from '../../config/replace-scalars.js';
import { ConfigError, type Fault, type SourceDocument } from '../../core/fault.js';
import { valueAt, withValues } from '../../core/pointer.js';
import { compileSchema } from '../../json-schema/compile.js';
import { type ConfigLoaderOptions, createConfigLoader } from '../../server/config-loader.js';
import { referenceSyntax } from '../../server/reload/config-section.js';
import { findReferences } from '../../vault/find-references.js';
import {
  type ProposedPath,
  proposedPathsFor,
  proposeReferences,
  storeCommands,
} from '../../vault/propose-references.js';
import { findInlineSecrets, type LocatedInlineSecret } from './find-inline-secrets.js';

export interface MigrationInput extends ConfigLoaderOptions {
  /** True to also move plaintext at places where the schema expects a secret. */
  readonly fromLiterals: boolean;
}

/** Value with its new path in Vault. */
export interface SecretMigration extends LocatedInlineSecret {
  readonly home: ProposedPath;
}

/**
 * Changed file, and the same change as a JSON Patch (RFC 6902). Only `before` contains the values that move.
 */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly patch: readonly { readonly op: 'replace'; readonly path: string; readonly value: string }[];
}

export interface Migration {
  readonly moves: readonly SecretMigration[];
  readonly files: readonly FileChange[];
  /** Commands that store the values in Vault. */
  readonly commands: readonly string[];
  /** Values that cannot move, with the reasons. */
  readonly faults: readonly Fault[];
}

/**
 * Plans the move of encrypted values, and optionally of plaintext, from the configuration to Vault. Decrypts
 * nothing and writes nothing. Throws a ConfigError if a file cannot be read.
 */
export async function planMigration(input: MigrationInput): Promise<Migration> {
  const { configPath, env, fromLiterals } = input;
  const config = await loadConfig({ path: configPath, env, compile: compileSchema, syntax: referenceSyntax });
  const unreadable = config.faults.filter(({ code }) => code === 'yaml' || code === 'file');
  if (unreadable.length > 0) throw new ConfigError(unreadable);
  const { desired } = await (await createConfigLoader(input)).read();
  const sections = fromLiterals ? [desired.main, ...desired.adapters].map(({ written }) => written) : [];
  const { migrants, faults } = findInlineSecrets(config, sections);
  const { mount, kvVersion } = vaultOf(config);
  const documents = documentsOf(config);
  const references = documents.flatMap(({ value }) => findReferences(value).references);
  const taken = proposedPathsFor(
    references.map(({ reference }) => reference),
    mount,
  );
  const homes = proposeReferences(migrants, taken);
  const moves = migrants.flatMap((migrant, at) => {
    const home = homes[at];
    return home ? [{ ...migrant, home }] : [];
  });
  const changed = documents.filter(({ file }) => moves.some((move) => move.file === file));
  return {
    moves,
    files: await Promise.all(changed.map((document) => changeFile(document, moves, env))),
    commands: storeCommands(homes, { mount, kvVersion, taken }),
    faults,
  };
}

function documentsOf({ main, adapters }: LoadedConfig): readonly SourceDocument[] {
  return [...new Set([main.document, ...adapters.map(({ document }) => document)])];
}

function vaultOf({ main }: LoadedConfig): { readonly mount: string; readonly kvVersion: unknown } {
  const mount = valueAt(main.document.value, '/vault/mount');
  return {
    mount: typeof mount === 'string' ? mount : 'secret',
    kvVersion: valueAt(main.document.value, '/vault/kvVersion'),
  };
}

async function changeFile(
  document: SourceDocument,
  moves: readonly SecretMigration[],
  env: MigrationInput['env'],
): Promise<FileChange> {
  const { file } = document;
  const source = await readText(file);
  if (!('text' in source)) throw new ConfigError([source]);
  const own = moves.filter((move) => move.file === file);
  const changes = new Map(
    own.flatMap(({ pointers, home }) => pointers.map((one) => [one, home.text] as const)),
  );
  const after = replaceScalars(source.text, changes);
  // Verify that only the intended values changed.
  const { value } = readDocument({ file, text: after }, env);
  if (!isDeepStrictEqual(value, withValues(document.value, changes)))
    throw new Error(`${file} cannot be changed safely; write the references into it by hand`);
  const patch = [...changes].map(([path, text]) => ({ op: 'replace' as const, path, value: text }));
  return { file, before: source.text, after, patch };
}
