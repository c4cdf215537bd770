import type { Draft, RestCallBody } from './rest-call.js';

/** Stands where a secret stood. */
export const MASK = '***';

const SECRET_NAME =
  /pass(?:word|wd|phrase)?|secret|token|api[-_]?key|authorization|^auth$|cookie|credential|private[-_]?key|signature|session/i;

/** Whether what has this name is a secret by its name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The request without its secrets: what may be copied, shown and kept. */
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

/** The draft without its secrets: no password, and no value of a header or of a member of the body that is one by its name. */
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

/** Text that cannot be read cannot be searched for secrets, so that nothing of it is kept. */
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

/** What stands before an `@`, and parameters that are secrets by their names. */
function maskedUri(uri: string): string {
  return uri
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/([?&;])([^=&;#]*)=([^&;#]*)/g, (whole, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${MASK}` : whole,
    );
}
