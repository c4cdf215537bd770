import type { Written } from '../../config/check-written.js';
import type { LoadedConfig } from '../../config/load.js';
import { type Fault, faultAt, type SourceDocument } from '../../core/fault.js';
import { pointerTokens, stringsOf, valueAt } from '../../core/pointer.js';
import { findReferences } from '../../vault/find-references.js';
import { isEncrypted, parseReference, platformMark, type PlatformWatermark } from '../../vault/reference.js';
import type { InlineSecret } from '../../vault/propose-references.js';

/**
 * `$ENC`: encrypted by the platform. `{code}` and `{crypt}`: marked by the platform's adapters. `plaintext`:
 * not encoded.
 */
export type InlineSecretKind = '$ENC' | PlatformWatermark | 'plaintext';

/** Value to move to Vault, with its place. Does not contain the value itself. */
export interface LocatedInlineSecret extends InlineSecret {
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
export function findInlineSecrets(
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
      .flatMap(({ at, secrets }) => secrets.map((pointer) => at + pointer));
    return stringsIn(document, new Set(literals)).map((one) => ({
      ...one,
      document,
      ...ownerOf(adapter, one.pointer),
    }));
  });
  const bound = found.filter(({ adapter, at }) => adapter === null && at.startsWith('/vault/'));
  const migrants = found
    .filter((one) => !bound.includes(one))
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
    faults: [...names, ...bound.map(({ document, pointer }) => faultAt(document, pointer, BOUND))],
  };
}

const BOUND = {
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
    const kind = kindOf(text) ?? (secretPointers.has(pointer) && isPlaintext(text) ? 'plaintext' : undefined);
    return kind ? [{ pointer, kind }] : [];
  });
}

function kindOf(text: string): InlineSecretKind | undefined {
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

/** Merges values that share a place in the text, because they move together. */
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
