import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface RsaOptions {
  /** Default: `rsa`. */
  readonly type?: 'rsa' | 'rsa-pss';
  /** Default: 2048. */
  readonly bits?: number;
}

/**
 * Folder of RSA keys that all test processes of a checkout share, because creating a key takes 50 to 300 ms
 * of CPU time.
 */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/gatehouse-test-keys', import.meta.url));

const known = new Map<string, KeyPair>();

/**
 * Returns the RSA key of this name, which is made once; another name (letters, digits, hyphens) is another
 * key.
 */
export function rsaKeys(name: string, { type = 'rsa', bits = 2048 }: RsaOptions = {}): KeyPair {
  const file = join(CACHE, `${type}-${bits}-${name}.pem`);
  const pair = known.get(file) ?? readKeys(file) ?? makeKeys(file, { type, bits });
  known.set(file, pair);
  return pair;
}

function readKeys(file: string): KeyPair | undefined {
  try {
    const privateKey = createPrivateKey(readFileSync(file));
    return { privateKey, publicKey: createPublicKey(privateKey) };
  } catch {
    // The file does not exist yet, or no longer holds a key.
    return undefined;
  }
}

function makeKeys(file: string, { type, bits }: Required<RsaOptions>): KeyPair {
  const options = { modulusLength: bits };
  const pair = type === 'rsa' ? generateKeyPairSync('rsa', options) : generateKeyPairSync('rsa-pss', options);
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(draft, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  // Two processes may do this at the same time: the file is always complete, and the last writer wins.
  renameSync(draft, file);
  return pair;
}

const lent = new Set<number>();

export interface BorrowedKeys extends KeyPair {
  readonly giveBack: () => void;
}

/** Returns an RSA key that this process does not use elsewhere until the key is given back. */
export function borrowRsaKeys(): BorrowedKeys {
  let number = 1;
  while (lent.has(number)) number += 1;
  lent.add(number);
  return { ...rsaKeys(`borrowed-${number}`), giveBack: () => void lent.delete(number) };
}
