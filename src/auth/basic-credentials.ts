import { NAME_LENGTH, PASSWORD_LENGTH } from '../core/login.js';
import { Secret } from '../core/secret.js';

/** A name and a password, withinLimits the length limits. */
export interface NameAndPassword {
  readonly name: string;
  readonly password: Secret;
}

// RFC 7617 section 2; the scheme is case-insensitive (RFC 9110 section 11.1).
const BASIC_HEADER = /^basic ([A-Za-z0-9+/]+={0,2})$/i;

/** Returns true for an Authorization header with the scheme Basic, well-formed or not. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization);
}

/**
 * Returns the name and password of an Authorization header (RFC 7617), in UTF-8; `undefined` if the header is
 * invalid.
 */
export function readBasic(authorization: string): NameAndPassword | undefined {
  const encoded = BASIC_HEADER.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'));
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(text ?? '') ?? [];
  return withinLimits(name, password);
}

/**
 * Returns the name and password like {@link readBasic}, and also decodes their form encoding (RFC 6749
 * section 2.3.1). A part that is not form-encoded is used unchanged, because many OAuth clients do not
 * encode.
 */
export function readFormBasic(authorization: string): NameAndPassword | undefined {
  const credentials = readBasic(authorization);
  return credentials && withinLimits(decodeForm(credentials.name), decodeForm(credentials.password.reveal()));
}

function withinLimits(name: string, password: string): NameAndPassword | undefined {
  const fits = name !== '' && name.length <= NAME_LENGTH && password.length <= PASSWORD_LENGTH;
  return fits ? { name, password: new Secret(password) } : undefined;
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
