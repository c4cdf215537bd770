import type { KeyObject } from 'node:crypto';

const RSA_BITS = 2048;
const RSA_EXPONENT = 65537n;

// Primes for which 65537 does not generate every residue. A modulus made by the flawed Infineon library (ROCA,
// CVE-2017-15361) is a power of 65537 modulo each of them; another modulus is so once in about 2^28.
const ROCA_PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];

/** Why an RSA public key must not be trusted; `undefined` when nothing speaks against it. */
export function rsaWeakness(key: KeyObject): string | undefined {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS) return `is an RSA key of ${modulusLength} bits, fewer than ${RSA_BITS}`;
  if (publicExponent < RSA_EXPONENT || publicExponent % 2n === 0n)
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
