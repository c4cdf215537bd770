import { createPublicKey, type KeyObject } from 'node:crypto';
import { rsaKeys } from '../support/keys.js';

/** Creates an RSA public key with any modulus and exponent. Key checks use only these numbers. */
export function rsaKey({ n = someModulus(), e = 65537n }: { n?: bigint; e?: bigint }): KeyObject {
  return createPublicKey({ key: { kty: 'RSA', n: encodeNumber(n), e: encodeNumber(e) }, format: 'jwk' });
}

/**
 * Creates a key with a 2048-bit modulus of the form in CVE-2017-15361: a power of 65537 modulo the product of
 * the first 126 primes.
 */
export function rocaKey(): KeyObject {
  const primorial = firstPrimes(126).reduce((product, prime) => product * prime, 1n);
  let power = 1n;
  for (let step = 0; step < 1234; step++) power = (power * 65537n) % primorial;
  const multiple = 2n ** 2047n / primorial + 2n;
  const modulus = power + (multiple + (multiple % 2n)) * primorial;
  return rsaKey({ n: modulus });
}

function someModulus(): bigint {
  const { n = '' } = rsaKeys('modulus').publicKey.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`);
}

function firstPrimes(count: number): readonly bigint[] {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  return primes;
}

function encodeNumber(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
