import { NAME_LENGTH, PASSWORD_LENGTH } from './login.js';
import { Secret } from './secret.js';

/** A name and a password, within the lengths that are looked at. */
export interface NameAndPassword {
  readonly name: string;
  readonly password: Secret;
}

// RFC 7617 section 2; the scheme in any case (RFC 9110 section 11.1).
const BASIC = /^basic ([A-Za-z0-9+/]+={0,2})$/i;

/** True for an Authorization header of the scheme Basic, well-formed or not. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization);
}

/** Name and password of an Authorization header (RFC 7617), in UTF-8; `undefined` when it does not hold them. */
export function readBasic(authorization: string): NameAndPassword | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : utf8(Buffer.from(encoded, 'base64'));
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(text ?? '') ?? [];
  return within(name, password);
}

/**
 * The same with both parts in form encoding, as clients of OAuth send them (RFC 6749 section 2.3.1); a part that is no such
 * encoding is taken as it is, since many of them do not encode.
 */
export function readFormBasic(authorization: string): NameAndPassword | undefined {
  const found = readBasic(authorization);
  return found && within(formDecoded(found.name), formDecoded(found.password.reveal()));
}

function within(name: string, password: string): NameAndPassword | undefined {
  const fits = name !== '' && name.length <= NAME_LENGTH && password.length <= PASSWORD_LENGTH;
  return fits ? { name, password: new Secret(password) } : undefined;
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
