import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { parseJson } from '../json/strict-json.js';
import { type Algorithm, isAlgorithm } from './keys.js';
import { RejectedToken } from './rejected-token.js';

/** Default of the maximum length of a token, in characters. This check precedes all other checks. */
export const MAX_TOKEN_LENGTH = 8192;

const MAX_HEADER_BYTES = 1024;
const MAX_KID_LENGTH = 256;
/** Header member `typ` of an access token (RFC 9068 section 2.1), without the prefix `application/`. */
const ACCESS_TOKEN_TYPE = 'at+jwt';
// Header members that change the meaning of a token. This parser implements none, so it rejects a token with
// such a member (RFC 7515 section 4.1.11).
const REFUSED_MEMBERS = ['crit', 'b64', 'zip', 'cty'];

/** A well-formed compact JWS with an unverified signature. */
interface UnverifiedJws {
  readonly alg: Algorithm;
  readonly kid: string | undefined;
  /** True if the header says that this is an access token (RFC 9068). */
  readonly isAccessToken: boolean;
  readonly payload: Buffer;
}

/** An unverified JWS whose payload is a JSON object of claims. */
export interface UnverifiedToken extends Omit<UnverifiedJws, 'payload'> {
  readonly payload: JsonObject;
}

/**
 * Parses a compact JWS (RFC 7515) more strictly than the library. Each token has only one accepted spelling,
 * and each JSON document only one meaning. Ignores `jku`, `jwk`, `x5u`, `x5c` and `x5t`, because a token must
 * not choose its key. Throws an Error without token text.
 */
export function readJws(text: string, maxLength = MAX_TOKEN_LENGTH): UnverifiedJws {
  if (text.length > maxLength)
    throw new RejectedToken('too_long', `the token is longer than ${maxLength} characters`);
  const parts = text.split('.', 4);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new Error('the token does not have three parts');
  decodePart(signature, 'signature');
  return { ...readHeader(decodePart(header, 'header')), payload: decodePart(payload, 'payload') };
}

/**
 * Parses a JWT (RFC 7519): a JWS with one JSON object as payload, see {@link readJws}. Throws an Error
 * without token text.
 */
export function readToken(text: string, maxLength = MAX_TOKEN_LENGTH): UnverifiedToken {
  const { payload, ...jws } = readJws(text, maxLength);
  return { ...jws, payload: readObject(payload, 'payload') };
}

/** Decodes base64url (RFC 4648 section 5). Throws an Error for a spelling that is not canonical. */
function decodePart(part: string, name: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new Error(`the ${name} is not canonical base64url`);
  return bytes;
}

function readObject(bytes: Buffer, name: string): JsonObject {
  try {
    return parseJsonObject(bytes);
  } catch (error) {
    throw new Error(`the ${name} ${error instanceof Error ? error.message : 'is not JSON'}`, {
      cause: error,
    });
  }
}

function readHeader(bytes: Buffer): Omit<UnverifiedToken, 'payload'> {
  if (bytes.length > MAX_HEADER_BYTES) throw new Error(`the header is longer than ${MAX_HEADER_BYTES} bytes`);
  const header = readObject(bytes, 'header');
  const refused = REFUSED_MEMBERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new Error(`the header has the member ${refused}`);
  const { alg, typ, kid } = header;
  if (!isAlgorithm(alg))
    throw new RejectedToken('signature', 'the header does not name an accepted algorithm');
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  const isAccessToken = type === ACCESS_TOKEN_TYPE;
  if (!isAccessToken && type !== undefined && type !== 'jwt')
    throw new RejectedToken('type', 'the header has another typ than JWT or at+jwt');
  if (!isKeyId(kid))
    throw new Error(`the header has a kid that is not a text of at most ${MAX_KID_LENGTH} characters`);
  return { alg, kid, isAccessToken };
}

/** Returns true for a valid key id: a short text, or undefined. */
export function isKeyId(kid: unknown): kid is string | undefined {
  return kid === undefined || (typeof kid === 'string' && kid.length <= MAX_KID_LENGTH);
}

/**
 * Parses bytes strictly as one JSON object. Throws an Error with the reason and without text of the bytes.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const result = parseJson(bytes);
  if ('fault' in result) throw new Error(result.fault.message);
  if (!isJsonObject(result.value)) throw new Error('is not a JSON object');
  return result.value;
}
