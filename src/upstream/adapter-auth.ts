import type { AdapterAuthSettings } from '../domain/settings.js';
import { isHeaderName, isHeaderValue, isOwnHeader } from '../domain/header.js';
import type { PlacedFault } from '../domain/fault.js';

/** The headers that carry an adapter's credentials: Basic (RFC 7617, UTF-8), Bearer (RFC 6750), or one of the operator's choice. */
export function credentialHeaders(auth: AdapterAuthSettings): Readonly<Record<string, string>> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'basic':
      return { authorization: basicCredentials(auth.username, auth.password.reveal()) };
    case 'bearer':
      return { authorization: `Bearer ${auth.token.reveal()}` };
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value.reveal() };
  }
}

/** Value of an `Authorization` header for HTTP Basic, the user and the password in UTF-8 (RFC 7617). */
export function basicCredentials(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** Why an adapter's credentials cannot be sent; pointers start with `/auth`. */
export function credentialFaults(auth: AdapterAuthSettings): readonly PlacedFault[] {
  switch (auth.type) {
    case 'none':
      return [];
    case 'basic':
      return auth.username.includes(':') ? [fault('username', 'must not hold a ":" (RFC 7617)')] : [];
    case 'bearer':
      return isHeaderValue(auth.token.reveal()) ? [] : [fault('token', UNSENDABLE)];
    case 'header':
      return [
        ...(isHeaderName(auth.name) && !isOwnHeader(auth.name)
          ? []
          : [fault('name', 'is not a header name that can carry credentials')]),
        ...(isHeaderValue(auth.value.reveal()) ? [] : [fault('value', UNSENDABLE)]),
      ];
  }
}

const UNSENDABLE = 'has a character that no header can carry, perhaps a line break at its end';

function fault(member: string, message: string): PlacedFault {
  return {
    pointer: `/auth/${member}`,
    code: 'auth',
    message,
    fix: 'Correct the value where it is kept, in Vault or in this file.',
  };
}
