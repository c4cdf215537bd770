import { Secret } from '../../core/secret.js';

/** Values that the steps of a login have extracted so far, by name. */
export type Taken = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Returns the names in braces of a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/**
 * Replaces each `{name}` with its extracted value. Other braces are kept, because a password may contain
 * them.
 */
export function fill(text: string, taken: Taken, encode: (value: string) => string = String): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = taken.get(name);
    return value === undefined ? whole : encode(value);
  });
}

/** Returns a JSON value with secrets revealed and placeholders replaced. */
export function fillJson(value: unknown, taken: Taken): unknown {
  if (value instanceof Secret) return fill(value.reveal(), taken);
  if (typeof value === 'string') return fill(value, taken);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, taken));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillJson(member, taken)]));
}

/** Returns a map of secrets, revealed and with placeholders replaced. */
export function fillSecrets(
  secrets: Readonly<Record<string, Secret>>,
  taken: Taken,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, fill(value.reveal(), taken)]),
  );
}
