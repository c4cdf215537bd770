import type { AdapterAuthSettings, LoginSettings, OAuth2Settings } from '../settings/adapter.js';
import type { Credentials } from './login/session.js';

/** Settings of credentials that require a login. */
export type LoginAuth = OAuth2Settings | LoginSettings;

/** Settings that contain the credentials themselves. */
type FixedAuth = Exclude<AdapterAuthSettings, LoginAuth>;

/** Returns true if the settings contain the credentials, false if a login provides them. */
export function isFixed(auth: AdapterAuthSettings): auth is FixedAuth {
  return auth.type !== 'oauth2' && auth.type !== 'login';
}

/**
 * Returns an adapter's credentials as Basic (RFC 7617, UTF-8), Bearer (RFC 6750), or a header or query
 * parameter chosen by the operator.
 */
export function fixedCredentials(auth: FixedAuth): Credentials {
  switch (auth.type) {
    case 'none':
      return { headers: {} };
    case 'basic':
      return { headers: { authorization: basicCredentials(auth.username, auth.password.reveal()) } };
    case 'bearer':
      return { headers: { authorization: `Bearer ${auth.token.reveal()}` } };
    case 'header':
      return { headers: { [auth.name.toLowerCase()]: auth.value.reveal() } };
    case 'query':
      return { headers: {}, parameter: `${auth.name}=${encodeParameter(auth.value.reveal())}` };
  }
}

/** Returns an `Authorization` header for HTTP Basic, with user and password in UTF-8 (RFC 7617). */
export function basicCredentials(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Encodes a parameter value, with `'` as %27 like URL parsers do in a query. */
function encodeParameter(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

/**
 * Returns the lower-case names of all headers that may carry credentials, from the settings or from a login.
 */
export function credentialNames(auth: AdapterAuthSettings): ReadonlySet<string> {
  const configured =
    auth.type === 'header'
      ? [auth.name.toLowerCase()]
      : auth.type === 'login'
        ? appliedHeaders(auth.apply).map(([name]) => name)
        : [];
  return new Set(['authorization', 'cookie', ...configured]);
}

/** Returns the headers of every call after a login: names in lower case, values with their `{names}`. */
export function appliedHeaders({
  header,
  headers,
}: LoginSettings['apply']): readonly (readonly [name: string, template: string])[] {
  const [, name = '', template = ''] = /^([^:]*):\s*(.*)$/.exec(header ?? '') ?? [];
  const single = header === null ? [] : [[name, template] as const];
  return [...single, ...Object.entries(headers)].map(([headerName, value]) => [
    headerName.toLowerCase(),
    value.trim(),
  ]);
}
