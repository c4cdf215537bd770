import { scryptSync } from 'node:crypto';
import { Secret } from '../../src/core/secret.js';

const SALT = Buffer.from('0123456789abcdef');

/** Returns a scrypt hash of the lowest accepted cost, made with node:crypto only. */
export function cheapHash(password: string): string {
  const hash = scryptSync(password, SALT, 32, { N: 2 ** 14, r: 1, p: 1 });
  const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=14,r=1,p=1$${encode(SALT)}$${encode(hash)}`;
}

/** Returns the hash in the format of the configuration. */
export function secretHash(password: string): Secret {
  return new Secret(cheapHash(password));
}
