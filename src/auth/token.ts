import { isJsonObject, type JsonObject } from '../core/json-object.js';
import { type Algorithm, isAlgorithm } from './keys.js';
import { parseJson } from '../core/strict-json.js';

/** Maximum length of a token, in characters; checked before anything else. */
export const TOKEN_LENGTH = 8192;

const HEADER_BYTES = 1024;
const KID_LENGTH = 256;
const TYPES = ['jwt', 'at+jwt'];
// Members that change how the rest is read. None of them is implemented, so their presence is a refusal (RFC
// 7515 section 4.1.11).
const REFUSED_MEMBERS = ['crit', 'b64', 'zip', 'cty'];

/** A well-formed compact JWS; nothing in it is proven. */
export interface UnverifiedJws {
  readonly alg: Algorithm;
  readonly kid: string | undefined;
  readonly payload: Buffer;
}

/** An unverified JWS whose payload is a JSON object of claims. */
export interface UnverifiedToken extends Omit<UnverifiedJws, 'payload'> {
  readonly payload: JsonObject;
}

/**
 * Parses a compact JWS (RFC 7515) more strictly than the library does: one spelling per token, one meaning
 * per document. Ignores `jku`, `jwk`, `x5u`, `x5c` and `x5t`, because a token does not choose its key. Throws
 * an Error without token text.
 */
export function readJws(text: string): UnverifiedJws {
  if (text.length > TOKEN_LENGTH) throw new Error(`the token is longer than ${TOKEN_LENGTH} characters`);
  const parts = text.split('.', 4);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new Error('the token does not have three parts');
  decodePart(signature, 'signature');
  return { ...readHeader(decodePart(header, 'header')), payload: decodePart(payload, 'payload') };
}

/**
 * Reads a JWT (RFC 7519): a JWS of {@link readJws} whose payload is one JSON object. Throws an Error without
 * token text.
 */
export function readToken(text: string): UnverifiedToken {
  const { payload, ...jws } = readJws(text);
  return { ...jws, payload: readObject(payload, 'payload') };
}

/** Decodes base64url (RFC 4648 section 5). Rejects every spelling except the canonical one. */
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

function readHeader(bytes: Buffer): Pick<UnverifiedToken, 'alg' | 'kid'> {
  if (bytes.length > HEADER_BYTES) throw new Error(`the header is longer than ${HEADER_BYTES} bytes`);
  const header = readObject(bytes, 'header');
  const refused = REFUSED_MEMBERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new Error(`the header has the member ${refused}`);
  const { alg, typ, kid } = header;
  if (!isAlgorithm(alg)) throw new Error('the header names no algorithm that is taken');
  if (!isTokenType(typ)) throw new Error('the header has another typ than JWT or at+jwt');
  if (!isKeyId(kid))
    throw new Error(`the header has a kid that is not a text of at most ${KID_LENGTH} characters`);
  return { alg, kid };
}

function isTokenType(typ: unknown): boolean {
  return typ === undefined || (typeof typ === 'string' && TYPES.includes(typ.toLowerCase()));
}

/** Returns true for a valid key id: a short text, or undefined. */
export function isKeyId(kid: unknown): kid is string | undefined {
  return kid === undefined || (typeof kid === 'string' && kid.length <= KID_LENGTH);
}

/** Parses bytes strictly as one JSON object. Throws an Error that gives the reason and quotes nothing. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const result = parseJson(bytes);
  if ('fault' in result) throw new Error(result.fault.message);
  if (!isJsonObject(result.value)) throw new Error('is not a JSON object');
  return result.value;
}
