import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Secret } from '../core/secret.js';

const MIN_RSA_BITS = 2048;
const MIN_RSA_EXPONENT = 65537n;

// Primes for which 65537 does not generate every residue. A modulus from the flawed Infineon library (ROCA,
// CVE-2017-15361) is a power of 65537 modulo each of these primes. About one in 2^28 other moduli also is.
const ROCA_PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];

/** Returns the weakness of an RSA public key; `undefined` if the key has no known weakness. */
function rsaWeakness(key: KeyObject): string | undefined {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS)
    return `is an RSA key of ${modulusLength} bits, fewer than ${MIN_RSA_BITS}`;
  if (publicExponent < MIN_RSA_EXPONENT || publicExponent % 2n === 0n)
    return 'is an RSA key whose public exponent is even or below 65537';
  if (hasRocaFingerprint(modulusOf(key))) return 'is an RSA key that can be factored (ROCA, CVE-2017-15361)';
  return undefined;
}

function modulusOf(key: KeyObject): bigint {
  const { n = '' } = key.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
}

function hasRocaFingerprint(modulus: bigint): boolean {
  return ROCA_PRIMES.every((prime) => isPowerOf65537(Number(modulus % BigInt(prime)), prime));
}

function isPowerOf65537(residue: number, prime: number): boolean {
  let power = 1;
  do {
    if (power === residue) return true;
    power = (power * 65537) % prime;
  } while (power !== 1);
  return false;
}

/** A parsed key for signature checks, and the algorithms for which it may be used. */
export interface VerificationKey {
  /** Key id; absent for configured keys. */
  readonly kid?: string;
  readonly algorithms: readonly Algorithm[];
  readonly key: KeyObject;
}

/** Fault of a rejected key, and its correction. Contains no key material. */
export interface KeyFault {
  /** Predicate whose subject is the key: `is a private key`. */
  readonly message: string;
  readonly fix: string;
  /** The configured algorithm that does not fit the key; absent for other faults. */
  readonly algorithm?: Algorithm;
}

export type KeyReading = { readonly key: VerificationKey } | { readonly fault: KeyFault };

const PUBLIC_LABELS = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE'];
const PEM_ADVICE = 'Give one PEM block: BEGIN PUBLIC KEY, BEGIN RSA PUBLIC KEY or BEGIN CERTIFICATE.';

/**
 * Reads a public key from PEM text: SPKI, PKCS #1, or an X.509 certificate, whose dates are not checked. The
 * key must fit all given algorithms.
 */
export function readPublicKey(pem: string, algorithms: readonly Algorithm[]): KeyReading {
  const labels = [...pem.matchAll(/^-----BEGIN ([A-Z0-9 ]+)-----/gm)].map(([, label = '']) => label);
  if (labels.some((label) => label.endsWith('PRIVATE KEY')))
    return keyFault(
      'holds a private key',
      'Give the public key alone: openssl pkey -in KEY -pubout -out FILE',
    );
  if (labels.length !== 1 || !PUBLIC_LABELS.includes(labels[0] ?? ''))
    return keyFault('is not the PEM text of one public key', PEM_ADVICE);
  const key = parsePublicKey(pem);
  if (!key) return keyFault('is not a public key that can be read', PEM_ADVICE);
  return checkPublicKey(key, algorithms);
}

function parsePublicKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function checkPublicKey(key: KeyObject, algorithms: readonly Algorithm[]): KeyReading {
  const weakness = weaknessOf(key);
  if (weakness !== undefined) return keyFault(weakness, 'Let the issuer create a new key.');
  const algorithm = algorithms.find((name) => !fitsKey(name, key));
  if (algorithm === undefined) return { key: { key, algorithms } };
  const message = `does not fit the key, which is ${describeKey(key)}`;
  return { fault: { message, fix: 'Name only algorithms that the key can be used for.', algorithm } };
}

/**
 * Reads the UTF-8 bytes of a shared secret as HMAC key. The key must be at least as long as the hash of every
 * given algorithm (RFC 7518 section 3.2). The text must not be PEM or JWK, because a public key is not
 * secret.
 */
export function readHmacSecret(secret: Secret, algorithms: readonly Algorithm[]): KeyReading {
  const text = secret.reveal();
  if (/^\s*(?:-----BEGIN |\{[^]*"kty")/.test(text))
    return keyFault('is PEM or JWK text', 'Give a random text; a public key goes into publicKeyFile.');
  const bytes = Buffer.from(text, 'utf8');
  const minBytes = Math.max(...algorithms.map((name) => algorithmKind(name).secretBytes ?? 0));
  if (bytes.length < minBytes)
    return keyFault(
      `has ${bytes.length} bytes, fewer than the ${minBytes} that ${algorithms.join(', ')} needs`,
      `Create a new secret: openssl rand -base64 ${minBytes}`,
    );
  return { key: { key: createSecretKey(bytes), algorithms } };
}

/** Returns the weakness of a public key; `undefined` if the key has no known weakness. */
export function weaknessOf(key: KeyObject): string | undefined {
  return key.asymmetricKeyType === 'rsa' ? rsaWeakness(key) : undefined;
}

/** Returns true if the public key has the type and the curve that the algorithm needs. */
export function fitsKey(algorithm: Algorithm, key: KeyObject): boolean {
  const { family, curve } = algorithmKind(algorithm);
  return family === key.asymmetricKeyType && curve === key.asymmetricKeyDetails?.namedCurve;
}

function describeKey(key: KeyObject): string {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return `of type ${key.asymmetricKeyType ?? key.type}${curve === undefined ? '' : ` on curve ${curve}`}`;
}

function keyFault(message: string, fix: string): KeyReading {
  return { fault: { message, fix } };
}

interface AlgorithmKind {
  readonly family: 'secret' | 'rsa' | 'ec' | 'ed25519';
  /** The only curve of the algorithm, by its OpenSSL name. */
  readonly curve?: string;
  /** Minimum length of the secret, in bytes: the length of the hash. */
  readonly secretBytes?: number;
}

/**
 * The accepted signature algorithms (RFC 7518 section 3, RFC 8037 section 3.1, RFC 9864), and the key that each
 * algorithm needs. `none` is not accepted.
 */
export const ALGORITHMS = {
  HS256: { family: 'secret', secretBytes: 32 },
  HS384: { family: 'secret', secretBytes: 48 },
  HS512: { family: 'secret', secretBytes: 64 },
  RS256: { family: 'rsa' },
  RS384: { family: 'rsa' },
  RS512: { family: 'rsa' },
  PS256: { family: 'rsa' },
  PS384: { family: 'rsa' },
  PS512: { family: 'rsa' },
  ES256: { family: 'ec', curve: 'prime256v1' },
  ES384: { family: 'ec', curve: 'secp384r1' },
  ES512: { family: 'ec', curve: 'secp521r1' },
  EdDSA: { family: 'ed25519' },
  Ed25519: { family: 'ed25519' },
} as const satisfies Record<string, AlgorithmKind>;

export type Algorithm = keyof typeof ALGORITHMS;

/** Returns true for the exact name of an accepted algorithm. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(ALGORITHMS, name);
}

export function algorithmKind(algorithm: Algorithm): AlgorithmKind {
  return ALGORITHMS[algorithm];
}
