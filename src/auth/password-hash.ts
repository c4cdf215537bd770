import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../core/secret.js';

/** Parameters of scrypt (RFC 7914): cost 2^ln, block size r, parallelism p. */
interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

interface ParsedHash extends ScryptCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const COST: ScryptCost = { ln: 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// PHC string format: parameters in this order, base64 without padding.
const PHC =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/**
 * Hashes a password with scrypt and a new salt. Returns `$scrypt$ln=17,r=8,p=1$salt$hash`. Uses 128 MiB of
 * memory.
 */
export async function hashPassword(password: Secret): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, { ...COST, salt, hash: Buffer.alloc(HASH_BYTES) });
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${encode(salt)}$${encode(hash)}`;
}

/** Returns true if the password matches the hash. Throws an Error for a hash with a `passwordHashFault`. */
export async function verifyPassword(password: Secret, encoded: string): Promise<boolean> {
  const parsed = parseHash(encoded);
  if (typeof parsed === 'string') throw new Error(`the password hash ${parsed}`);
  return timingSafeEqual(await derive(password, parsed), parsed.hash);
}

/** Returns the fault of a configured hash; `undefined` if the hash is usable. */
export function passwordHashFault(encoded: string): string | undefined {
  const parsed = parseHash(encoded);
  return typeof parsed === 'string' ? parsed : undefined;
}

function parseHash(encoded: string): ParsedHash | string {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(encoded) ?? [];
  if (ln === undefined) return 'is not of the form $scrypt$ln=17,r=8,p=1$salt$hash';
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (!isBounded(cost))
    return 'asks for more, or less, work than is allowed (ln 14 to 20, r 1 to 8, p 1 to 4)';
  const parsed = { ...cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
  const isCanonical = encode(parsed.salt) === salt && encode(parsed.hash) === hash;
  return isCanonical ? parsed : 'has a salt or hash that is not canonical base64';
}

/**
 * Returns true if a check of the hash takes at most 1 GiB of memory and a few seconds. A configured hash must
 * not stall the process.
 */
function isBounded({ ln, r, p }: ScryptCost): boolean {
  return ln >= 14 && ln <= 20 && r >= 1 && r <= 8 && p >= 1 && p <= 4;
}

function derive(password: Secret, { ln, r, p, salt, hash }: ParsedHash): Promise<Buffer> {
  const cost = 2 ** ln;
  const options = { cost, blockSize: r, parallelization: p, maxmem: 128 * r * (cost + p + 2) };
  // The text is normalized, because keyboards compose accents differently (RFC 8265 section 4.2).
  const text = password.reveal().normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hash.length, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
