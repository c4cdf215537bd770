import { Secret } from '../../src/core/secret.js';

/** Removes secrets from an untrusted text. */
export type Mask = (text: string) => string;

/** Minimum length of a masked value; shorter values occur in too many words. */
const MIN_SECRET_LENGTH = 4;

/** Names of the credentials of an adapter. Its sample properties use them as values, for example `token: token`. */
const CREDENTIAL_NAMES = new Set([
  ...['username', 'password', 'token', 'secret', 'clientid', 'clientsecret', 'apikey'],
  ...['awsaccesskey', 'awssecretkey', 'awssessiontoken'],
]);

/** Returns true for the name of a credential, which masks nothing: it occurs in many lines of a log. */
function isCredentialName(value: string): boolean {
  return CREDENTIAL_NAMES.has(value.toLowerCase().replaceAll(/[\s_-]/g, ''));
}

// Names of secrets that an adapter obtains itself, such as the token of a login, in JSON and in headers.
const NAMED_SECRET =
  /([\w-]{0,40}(?:authorization|token|cookie|password|secret|api-?key)\\*"?\s*[:=]\s*\\*"?)(?:\[[^\]]*\]?|(?:(?:basic|bearer) )?[^\s",;}&\\]+)/gi;

// Method before a message, such as `adapter1-connectorRest-getToken: Unable to`, which is not the name of a secret. A message
// begins with one of the first words that the library uses, JSON, or the name of a secret with its value.
const METHOD_LABEL =
  /(?<![A-Za-z0-9_])((?:get|set|make|build|find|request|check|validate|extract)[A-Z]\w*): (?=(?:Unable|Failed|Caught|Error|Request|Invalid|Going|No|Could|Token)\b|token is\b|\{|(?:token|password|secret): )/g;
/** Character in place of the colon after a method while secrets are masked. */
const LABEL_MARK = '\u0001';

/**
 * Creates a mask for the given values in all common encodings, and for values whose name indicates a secret.
 */
export function createMask(secrets: readonly string[]): Mask {
  const values = [...new Set(secrets.filter(isMaskable).flatMap(encodingsOf))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) =>
    values
      .reduce((masked, value) => masked.replaceAll(value, '[secret]'), text)
      .replaceAll(METHOD_LABEL, `$1${LABEL_MARK} `)
      .replaceAll(NAMED_SECRET, '$1[secret]')
      .replaceAll(LABEL_MARK, ':');
}

function isMaskable(secret: string): boolean {
  return secret.length >= MIN_SECRET_LENGTH && !isCredentialName(secret);
}

function encodingsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [value, inJson, encodeURIComponent(value), Buffer.from(value).toString('base64')];
}

/** Returns every secret of a value in plaintext. */
export function secretsIn(value: unknown): readonly string[] {
  if (value instanceof Secret) return [value.reveal()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** Returns a copy of a value with its secrets in plaintext, for the worker only. */
export function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revealed(member)]));
}
