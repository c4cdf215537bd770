import type { Draft, RestCallBody } from './rest-call.js';

/** Placeholder for a removed secret. */
export const MASK = '***';

const SECRET_NAME =
  /pass(?:word|wd|phrase)?|secret|token|api[-_]?key|authorization|^auth$|cookie|credential|private[-_]?key|signature|session/i;

/** True if a name indicates a secret. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Returns the request without its secrets, to be copied, shown or stored. */
export function masked({ uri, headers, body, user, password, ...rest }: RestCallBody): RestCallBody {
  return {
    ...rest,
    uri: maskedUri(uri),
    ...(headers && { headers: maskedMembers(headers) as Readonly<Record<string, string>> }),
    ...(body !== undefined && { body: maskedMembers(body) }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password: MASK }),
  };
}

/**
 * Returns the draft without its secrets: without the password, and without values of headers and body members
 * whose names indicate a secret.
 */
export function maskedDraft(draft: Draft): Draft {
  return {
    ...draft,
    uri: maskedUri(draft.uri),
    headers: draft.headers.split('\n').map(maskedLine).join('\n'),
    body: maskedJson(draft.body),
    password: '',
  };
}

function maskedLine(line: string): string {
  const name = line.slice(0, Math.max(line.indexOf(':'), 0)).trim();
  return isSecretName(name) ? `${name}: ${MASK}` : line;
}

/**
 * Masks the secrets in a JSON text. Returns an empty text for invalid JSON, which cannot be searched for
 * secrets.
 */
function maskedJson(text: string): string {
  if (text.trim() === '') return '';
  try {
    return JSON.stringify(maskedMembers(JSON.parse(text)), null, 2);
  } catch {
    return '';
  }
}

function maskedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretName(name) ? MASK : maskedMembers(inner)]),
  );
}

/** Masks user information before `@`, and parameters whose names indicate a secret. */
function maskedUri(uri: string): string {
  return uri
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/([?&;])([^=&;#]*)=([^&;#]*)/g, (match, separator: string, name: string) =>
      isSecretName(name) ? `${separator}${name}=${MASK}` : match,
    );
}
