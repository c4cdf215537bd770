import {
  constants,
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign as signBytes,
} from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuerSettings } from '../../src/settings/settings.js';
import { borrowRsaKeys, type BorrowedKeys, type KeyPair } from './keys.js';
import { temporaryFolder } from './temporary-folder.js';

/** Options of a test issuer; absent members have defaults. */
interface TestIssuerOptions {
  /** Signature algorithm; default ES256. */
  readonly algorithm?: string;
  readonly issuer?: string;
  readonly kid?: string;
  /** Returns milliseconds since 1970; default: the system clock. */
  readonly now?: () => number;
  /** Overrides members of the settings. */
  readonly settings?: Partial<IssuerSettings>;
}

/** A test issuer: a key pair, its settings for the server, and functions that sign tokens. */
export interface TestIssuer {
  /** For `auth.issuers`, with `publicKeyFile`. */
  readonly settings: IssuerSettings;
  readonly publicKeyFile: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The public key as a member of a JWK set. */
  readonly jwk: JsonWebKey;
  /**
   * Returns a token for `tester` with the role admin, valid for 5 minutes. `claims` and `header` override
   * its members; `undefined` removes a member.
   */
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  /** Returns a token of exactly these texts, well-formed or not, with a valid signature. */
  signTexts(header: string, payload: string): string;
  /**
   * Removes the key file; another issuer may use the key afterwards. Done after the tests around the call in any
   * case.
   */
  remove(): void;
}

/** Algorithms with an Ed25519 key. */
const ED25519 = ['EdDSA', 'Ed25519'];

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Creates an issuer whose tokens the server accepts if `settings` is among its issuers. */
export function makeIssuer(options: TestIssuerOptions = {}): TestIssuer {
  const { algorithm = 'ES256', issuer = 'https://idp.test', kid = randomUUID(), now = Date.now } = options;
  const { publicKey, privateKey, giveBack } = issuerKeys(algorithm);
  const folder = temporaryFolder().path;
  const publicKeyFile = join(folder, 'public.pem');
  const writeKey = (): void => {
    writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  };
  writeKey();
  if ('after' in globalThis) {
    // If one process repeats the tests, as for mutants, the folder is empty again.
    before(writeKey);
    after(giveBack);
  }
  const settings: IssuerSettings = {
    issuer,
    audience: ['gatehouse'],
    algorithms: [algorithm],
    publicKeyFile,
    rolesClaim: '/roles',
    nameClaim: ['preferred_username', 'email'],
    acceptIdTokens: false,
    clockToleranceSeconds: 0,
    maxLifetimeSeconds: 86_400,
    ...options.settings,
  };
  const signTexts = (header: string, payload: string): string =>
    signToken({ algorithm, key: privateKey, header, payload });
  return {
    settings,
    publicKeyFile,
    publicKey,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
    signTexts,
    sign(claims, header) {
      const iat = Math.floor(now() / 1000);
      const basics = { iss: issuer, aud: 'gatehouse', sub: 'tester', roles: ['admin'], iat, exp: iat + 300 };
      const fullHeader = { alg: algorithm, typ: 'JWT', kid, ...header };
      return signTexts(JSON.stringify(fullHeader), JSON.stringify({ ...basics, ...claims }));
    },
    remove() {
      giveBack();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Keys that no other issuer of this process has at the same time. */
function issuerKeys(algorithm: string): BorrowedKeys {
  return CURVES[algorithm] === undefined && !ED25519.includes(algorithm)
    ? borrowRsaKeys()
    : { ...makeKeys(algorithm), giveBack: () => undefined };
}

export function makeKeys(algorithm: string): KeyPair {
  if (ED25519.includes(algorithm)) return generateKeyPairSync('ed25519');
  const namedCurve = CURVES[algorithm];
  return namedCurve === undefined
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve });
}

interface TokenParts {
  readonly algorithm: string;
  /** A private key, or the bytes of a secret for HS256, HS384 and HS512. */
  readonly key: KeyObject | Buffer;
  readonly header: string;
  readonly payload: string;
}

/** Signs any two texts as a compact JWS, with node:crypto only. */
export function signToken({ algorithm, key, header, payload }: TokenParts): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${signature(algorithm, key, Buffer.from(input)).toString('base64url')}`;
}

/** Encodes a text as a part of a token. */
export function encodePart(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function signature(algorithm: string, key: KeyObject | Buffer, input: Buffer): Buffer {
  if (ED25519.includes(algorithm) && !Buffer.isBuffer(key)) return signBytes(null, input, key);
  const hash = `sha${algorithm.slice(2)}`;
  if (Buffer.isBuffer(key)) return createHmac(hash, key).update(input).digest();
  if (algorithm.startsWith('ES')) return signBytes(hash, input, { key, dsaEncoding: 'ieee-p1363' });
  if (!algorithm.startsWith('PS')) return signBytes(hash, input, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return signBytes(hash, input, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
}
