import type { AdapterAuthSettings, LoginSettings, OAuth2Settings } from '../core/adapter-settings.js';
import type { LocatedFault } from '../core/fault.js';
import { isHeaderName, isHeaderValue, isOwnHeader } from '../core/header.js';
import type { Secret } from '../core/secret.js';
import { appliedHeaders } from './login/request-headers.js';
import { loginFaults } from './login/login-faults.js';
import type { Credentials } from './login/session.js';

/** Settings of credentials that require a login. */
export type LoginAuth = OAuth2Settings | LoginSettings;

/** Settings that contain the credentials themselves. */
export type FixedAuth = Exclude<AdapterAuthSettings, LoginAuth>;

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

/**
 * Returns the lower-case names of all headers that may carry credentials, from the settings or from a login.
 */
export function credentialNames(auth: AdapterAuthSettings): ReadonlySet<string> {
  const own =
    auth.type === 'header'
      ? [auth.name.toLowerCase()]
      : auth.type === 'login'
        ? appliedHeaders(auth.apply).map(([name]) => name)
        : [];
  return new Set(['authorization', 'cookie', ...own]);
}

/** Returns an `Authorization` header for HTTP Basic, with user and password in UTF-8 (RFC 7617). */
export function basicCredentials(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Returns the reasons why an adapter's credentials cannot be sent; pointers start with `/auth`. */
export function credentialFaults(auth: AdapterAuthSettings): readonly LocatedFault[] {
  switch (auth.type) {
    case 'none':
    case 'query':
      return [];
    case 'basic':
      return auth.username.includes(':') ? [fault('username', 'must not hold a ":" (RFC 7617)')] : [];
    case 'bearer':
      return isHeaderValue(auth.token.reveal()) ? [] : [fault('token', UNSENDABLE)];
    case 'header':
      return headerFaults(auth.name, auth.value);
    case 'oauth2':
      return oauth2Faults(auth);
    case 'login':
      return loginFaults(auth).map(([member, message]) => fault(member, message));
  }
}

function oauth2Faults({ tokenUrl, clientId, clientAuth, encoding }: OAuth2Settings): readonly LocatedFault[] {
  const isPlainBasic = clientAuth === 'basic' && encoding === 'json';
  return [
    ...(URL.canParse(tokenUrl) ? [] : [fault('tokenUrl', 'is not a URL')]),
    ...(isPlainBasic && clientId.includes(':') ? [fault('clientId', 'must not hold a ":" (RFC 7617)')] : []),
  ];
}

function headerFaults(name: string, value: Secret): readonly LocatedFault[] {
  return [
    ...(isHeaderName(name) && !isOwnHeader(name)
      ? []
      : [fault('name', 'is not a header name that can carry credentials')]),
    ...(isHeaderValue(value.reveal()) ? [] : [fault('value', UNSENDABLE)]),
  ];
}

const UNSENDABLE = 'has a character that no header can carry, perhaps a line break at its end';

/** Encodes a parameter value, with `'` as %27 like URL parsers do in a query. */
function encodeParameter(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

function fault(member: string, message: string): LocatedFault {
  return {
    pointer: `/auth/${member}`,
    code: 'auth',
    message,
    fix: 'Correct the value where it is kept, in Vault or in this file.',
  };
}
