import type { JsonSchema } from '../core/schema.js';
import type { PemFile } from '../core/secret.js';
import type { FromSchema, SchemaOf } from './from-schema.js';

// Each key has a title and a description: editors show the title, and the description is the documentation
// of the key for the operator. Types of settings come from these schemas, so that the functions return the
// keywords with their literal types; those that only restrict values are left out.

/** The default of a schema with the keywords `K`. */
type Preset<K> = K extends { readonly default: infer Value } ? { readonly default: Value } : unknown;

/** Returns a schema with the literal types of its keywords, which TypeScript does not keep. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type as its result
function typed<S>(schema: JsonSchema): S {
  return schema as S;
}

export function text<const K extends JsonSchema = JsonSchema>(
  title: string,
  description: string,
  keywords?: K,
): { readonly type: 'string' } & Preset<K> {
  return typed({ title, description, type: 'string', ...keywords });
}

/**
 * Returns the schema of a string (not empty unless `more` is given), or `null` for no value, which is the
 * default.
 */
export function optionalText(
  title: string,
  description: string,
  keywords: JsonSchema = { minLength: 1 },
): { readonly type: readonly ['string', 'null']; readonly default: null } {
  return typed({ title, description, type: ['string', 'null'], ...keywords, default: null });
}

/** Returns the schema of a string that is wrapped in a `Secret`, with a description that says how to write it. */
export function writtenSecret(
  title: string,
  description: string,
  keywords: JsonSchema = {},
): { readonly type: 'string'; readonly 'x-secret': true } {
  return typed({ title, description, type: 'string', minLength: 1, 'x-secret': true, ...keywords });
}

/** Returns the schema of a string that is wrapped in a `Secret`. */
export function secret(
  title: string,
  description: string,
  keywords: JsonSchema = {},
): ReturnType<typeof writtenSecret> {
  const words = `${description} Write a reference such as $VAULT_adapters/nso1#password.`;
  return writtenSecret(title, words, keywords);
}

export function integer<const K extends JsonSchema>(
  title: string,
  description: string,
  keywords: K,
): { readonly type: 'integer' } & Preset<K> {
  return typed({ title, description, type: 'integer', ...keywords });
}

/** Returns the schema of a whole number or `null`, which is the default unless there is another one. */
export function optionalInteger(
  title: string,
  description: string,
  { default: preset = null, ...bounds }: JsonSchema,
): { readonly type: readonly ['integer', 'null']; readonly default: number | null } {
  return typed({ title, description, type: ['integer', 'null'], ...bounds, default: preset });
}

export function flag(
  title: string,
  description: string,
  preset: boolean,
): { readonly type: 'boolean'; readonly default: boolean } {
  return typed({ title, description, type: 'boolean', default: preset });
}

/** Returns the schema of a string that is one of `words`; the first word is the default. */
export function choice<const W extends readonly [string, ...string[]]>(
  title: string,
  description: string,
  words: W,
): { readonly type: 'string'; readonly enum: W; readonly default: string } {
  return typed({ title, description, type: 'string', enum: words, default: words[0] });
}

/**
 * Returns the schema of a file, relative to the configuration file that names it; `null` means no file and is
 * the default.
 */
export function optionalFile(title: string, description: string): ReturnType<typeof optionalText> {
  return optionalText(title, description, { minLength: 1, 'x-path': true });
}

/** Returns the schema of a file, relative to the configuration file that names it. */
export function file<const K extends JsonSchema = JsonSchema>(
  title: string,
  description: string,
  keywords?: K,
): { readonly type: 'string' } & Preset<K> {
  return text(title, description, { minLength: 1, 'x-path': true, ...keywords } as unknown as K);
}

/** Returns the schema of a PEM file. A reference to a secret in its place contains the text of the file. */
export function pemFile(title: string, description: string): SchemaOf<PemFile, ReturnType<typeof file>> {
  return file(title, description) as ReturnType<typeof pemFile>;
}

/** Returns the schema of a PEM file, or `null` for none, which is the default. */
export function optionalPemFile(
  title: string,
  description: string,
): SchemaOf<PemFile | null, ReturnType<typeof optionalText>> {
  return optionalFile(title, description) as ReturnType<typeof optionalPemFile>;
}

/** Returns the schema of a list, which may be written as its only item. `asSettings` makes it a list. */
export function oneOrMore<const S extends JsonSchema>(
  schema: S,
): SchemaOf<Exclude<FromSchema<S>, string>, S> {
  return schema as ReturnType<typeof oneOrMore<S>>;
}

/** Marks a key whose change takes effect only at the next start. Published schemas do not contain the mark `x-restart`. */
export function atStart<S extends JsonSchema>(schema: S): S {
  return { ...schema, 'x-restart': true };
}

type Members = Readonly<Record<string, JsonSchema>>;

/** The schema of an object with the members `P`. */
export type Section<P, K = { readonly default: object }> = {
  readonly type: K extends { readonly type: infer T } ? T : 'object';
  readonly properties: P;
} & Pick<K, keyof K & ('default' | 'required')>;

/**
 * Returns the schema of an object that allows only these members. Members in `required` have no default.
 */
export function section<const P extends Members, const K extends JsonSchema = { readonly default: object }>(
  words: readonly [title: string, description: string],
  properties: P,
  keywords?: K,
): Section<P, K> {
  const [title, description] = words;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, withUnit(name, member)]),
  );
  return {
    title,
    description,
    type: 'object',
    additionalProperties: false,
    ...(keywords ?? { default: {} }),
    properties: members,
  } as unknown as Section<P, K>;
}

/** Units of numbers by the end of their keys. */
const UNITS: readonly (readonly [key: RegExp, unit: string])[] = [
  [/Seconds$/, 'seconds'],
  [/Ms$/, 'milliseconds'],
  [/(?:Bytes|^bytes)$/, 'bytes'],
  [/Mb$/, 'megabytes'],
  [/Percent$/, 'percent'],
  [/^hours$/, 'hours'],
];

/** Adds the unit that the key of a number names, for messages about wrong values. */
function withUnit(key: string, schema: JsonSchema): JsonSchema {
  const unit = UNITS.find(([pattern]) => pattern.test(key))?.[1];
  const isNumber = [schema['type']].flat().includes('integer');
  return unit === undefined || !isNumber ? schema : { ...schema, 'x-unit': unit };
}

/** Maximum time-out, in milliseconds. Timers accept no larger value. */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/** Maximum size of a body or reply, in bytes. Both are collected in memory. */
const MAX_BODY_BYTES = 1_073_741_824;

type Amount = ReturnType<typeof integer<{ readonly default: number }>>;

/** Returns the schema of a time-out in milliseconds. */
export function milliseconds(title: string, description: string, preset: number): Amount {
  return integer(title, description, { minimum: 1, maximum: MAX_TIMEOUT_MS, default: preset });
}

/** Returns the schema of a size in bytes. */
export function bytes(title: string, description: string, preset: number): Amount {
  return integer(title, description, { minimum: 1, maximum: MAX_BODY_BYTES, default: preset });
}

const PORT = '(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const HOST = '(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?)';

const ORIGIN = `https?://${HOST}(?::${PORT})?`;

/** Pattern of `host:port`; an IPv6 host is in brackets. */
export const HOST_PORT_PATTERN = `^${HOST}:${PORT}$`;

/** Pattern of a receiver of syslog messages: a URL with host and optional port, or the path of a socket. */
export const SYSLOG_PATTERN = `^(?:(?:udp|tcp|tls)://${HOST}(?::${PORT})?|unix:/.+)$`;

/** Pattern of an http or https URL without credentials, query and fragment. */
export const BASE_URL_PATTERN = `^${ORIGIN}(?:/[^\\s?#\\\\]*)?$`;

/** Pattern of an http or https URL with only a host and a port. */
export const ORIGIN_PATTERN = `^${ORIGIN}/?$`;

/** Pattern of the origin of a page of another site (RFC 6454). */
export const PUBLIC_ORIGIN_PATTERN = `^${ORIGIN}$`;

/** Pattern of the origin of a page (RFC 6454); `self` means the server's own origin. */
export const PAGE_ORIGIN_PATTERN = `^(?:self|${ORIGIN})$`;

/** Pattern of an http or https URL without credentials and fragment. */
export const URL_PATTERN = `^${ORIGIN}(?:[/?][^\\s#\\\\]*)?$`;

/**
 * Returns the schema of the http URL of a proxy (host and port, no credentials), or `null` for no proxy,
 * which is the default.
 */
export function optionalProxy(description: string): ReturnType<typeof optionalText> {
  return optionalText('Proxy', description, {
    pattern: `^http://${HOST}(?::${PORT})?/?$`,
    'x-hint': 'must be an http URL without path and credentials, for example http://proxy.example:3128',
  });
}
