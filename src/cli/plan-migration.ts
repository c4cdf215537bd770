import { isDeepStrictEqual } from 'node:util';
import type { Written } from '../config/check-written.js';
import { readDocument } from '../config/document.js';
import { loadConfig, type LoadedConfig } from '../config/load.js';
import { readText } from '../config/read-text.js';
import { replaceScalars } from '../config/yaml.js';
import { ConfigError, type Fault, faultAt, type SourceDocument } from '../core/fault.js';
import { compileSchema } from '../json-schema/compile.js';
import { pointerTokens, stringsOf, valueAt, withValues } from '../json/pointer.js';
import { findReferences } from '../secrets/find-references.js';
import {
  type InlineSecret,
  type ProposedPath,
  proposedPathsFor,
  proposeReferences,
  storeCommands,
} from '../secrets/propose-references.js';
import { isEncrypted, parseReference, platformMark, type PlatformWatermark } from '../secrets/reference.js';
import { type ConfigLoaderOptions, createConfigLoader } from '../server/config-loader.js';
import { referenceSyntax } from '../server/state/configuration.js';
import { literalSecrets } from '../server/state/literal-secrets.js';

interface MigrationInput extends ConfigLoaderOptions {
  /** True to also move plaintext at positions where the schema expects a secret. */
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
    files: changed.map((document) => changeFile(document, moves, env)),
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
    kvVersion: valueAt(main.value, '/vault/kvVersion'),
  };
}

function changeFile(
  document: SourceDocument,
  moves: readonly SecretMigration[],
  env: MigrationInput['env'],
): FileChange {
  const { file } = document;
  const source = readText(file);
  if (!('text' in source)) throw new ConfigError([source]);
  const fileMoves = moves.filter((move) => move.file === file);
  const changes = new Map(
    fileMoves.flatMap(({ pointers, home }) => pointers.map((finding) => [finding, home.text] as const)),
  );
  const after = replaceScalars(source.text, changes);
  // Verify that only the intended values changed.
  const { value } = readDocument({ file, text: after }, env);
  if (!isDeepStrictEqual(value, withValues(document.value, changes)))
    throw new Error(`${file} cannot be changed safely; write the references into it by hand`);
  const patch = [...changes].map(([path, text]) => ({ op: 'replace' as const, path, value: text }));
  return { file, before: source.text, after, patch };
}

/**
 * `$ENC`: encrypted by the platform. `{code}` and `{crypt}`: marked by the platform's adapters. `plaintext`:
 * not encoded.
 */
type InlineSecretKind = '$ENC' | PlatformWatermark | 'plaintext';

/** Position and kind of a value to move to Vault. Does not contain the value itself. */
interface LocatedInlineSecret extends InlineSecret {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: InlineSecretKind;
  /** Pointers into the file; several if aliases share the text. */
  readonly pointers: readonly [string, ...string[]];
}

/**
 * Finds values that do not belong in a configuration: encrypted and encoded values anywhere in its files, and
 * plaintext at the secret positions of `sections`. Reports values that cannot move as faults.
 */
function findInlineSecrets(
  { main, adapters }: LoadedConfig,
  sections: readonly Written[],
): { readonly migrants: readonly LocatedInlineSecret[]; readonly faults: readonly Fault[] } {
  const parts = [
    { document: main.document, adapter: null },
    ...adapters.filter(({ at }) => at === '').map(({ document, id }) => ({ document, adapter: id })),
  ];
  const found = parts.flatMap(({ document, adapter }) => {
    const literals = sections
      .filter((section) => section.document.file === document.file)
      .flatMap((section) => positionsOf(section).map((pointer) => section.at + pointer));
    return stringsIn(document, new Set(literals)).map((finding) => ({
      ...finding,
      document,
      ...ownerOf(adapter, finding.pointer),
    }));
  });
  const bootstrap = found.filter(({ adapter, at }) => adapter === null && at.startsWith('/vault/'));
  const migrants = found
    .filter((finding) => !bootstrap.includes(finding))
    .map(({ document, pointer, at, adapter, kind }) => ({
      file: document.file,
      ...document.locate(pointer),
      kind,
      adapter,
      pointer: at,
      pointers: [pointer] as const,
    }));
  const names = parts.flatMap(({ document }) => encryptedNames(document));
  return {
    migrants: mergeAliases(migrants),
    faults: [
      ...names,
      ...bootstrap.map(({ document, pointer }) => faultAt(document, pointer, BOOTSTRAP_FAULT)),
    ],
  };
}

/** Returns the pointers of all positions of secrets whose text comes from the file, not from the environment. */
function positionsOf(section: Written): readonly string[] {
  const { document, at, secrets } = section;
  const written = secrets.filter(
    (pointer) => document.insertions?.get(at + pointer)?.withoutValues === undefined,
  );
  return [...written, ...literalSecrets(section)];
}

const BOOTSTRAP_FAULT = {
  code: 'ENC_REJECTED',
  message: 'is needed to reach Vault, so it cannot come from Vault',
  fix: 'Write the value to a file or an environment variable that vault.auth names.',
};

interface Finding {
  readonly pointer: string;
  readonly kind: InlineSecretKind;
}

function stringsIn({ value }: SourceDocument, secretPointers: ReadonlySet<string>): readonly Finding[] {
  return stringsOf(value).flatMap(({ pointer, text }) => {
    if (pointerTokens(pointer).some(isEncrypted)) return [];
    const kind =
      secretKindOf(text) ?? (secretPointers.has(pointer) && isPlaintext(text) ? 'plaintext' : undefined);
    return kind ? [{ pointer, kind }] : [];
  });
}

function secretKindOf(text: string): InlineSecretKind | undefined {
  if (isEncrypted(text)) return '$ENC';
  return platformMark(text);
}

function isPlaintext(text: string): boolean {
  return text !== '' && parseReference(text).kind === 'literal';
}

/** Returns the adapter that a pointer of a file belongs to, and the pointer relative to that adapter. */
function ownerOf(
  adapter: string | null,
  pointer: string,
): { readonly adapter: string | null; readonly at: string } {
  const [top, id, ...rest] = pointerTokens(pointer);
  if (adapter !== null || top !== 'adapters' || id === undefined || rest.length === 0)
    return { adapter, at: pointer };
  return { adapter: id, at: `/${pointer.split('/').slice(3).join('/')}` };
}

/** Merges values at the same position of the text (aliases), because they move together. */
function mergeAliases(migrants: readonly LocatedInlineSecret[]): readonly LocatedInlineSecret[] {
  const places = new Map<string, LocatedInlineSecret>();
  for (const migrant of migrants) {
    const place = `${migrant.line}:${migrant.column}:${migrant.file}`;
    const first = places.get(place);
    places.set(place, first ? { ...first, pointers: [...first.pointers, ...migrant.pointers] } : migrant);
  }
  return [...places.values()];
}

/** Returns faults for encrypted member names. A member name cannot be a reference. */
function encryptedNames(document: SourceDocument): readonly Fault[] {
  return findReferences(document.value)
    .faults.filter(
      ({ code, pointer }) => code === 'ENC_REJECTED' && typeof valueAt(document.value, pointer) !== 'string',
    )
    .map(({ pointer, code, message, fix }) => faultAt(document, pointer, { code, message, fix }));
}
