import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { pickKey } from '../../src/auth/issuer.js';
import { readKeySet } from '../../src/auth/jwk.js';
import {
  type Algorithm,
  algorithmKind,
  ALGORITHMS,
  isAlgorithm,
  type VerificationKey,
} from '../../src/auth/keys.js';
import { readJws } from '../../src/auth/token.js';
import { suiteJson } from '../public-suite.js';

/** Returns true if a compact JWS is accepted under these keys. */
export type Judge = (jws: string, keys: readonly JsonWebKey[]) => boolean;

/** Used members of Wycheproof's files. */
interface SuiteFile {
  readonly testGroups: readonly {
    readonly public?: JsonWebKey & { readonly keys?: readonly JsonWebKey[] };
    readonly private?: JsonWebKey & { readonly keys?: readonly JsonWebKey[] };
    readonly tests: readonly {
      readonly tcId: number;
      readonly comment: string;
      readonly jws?: string;
      readonly jwe?: string;
      readonly result: 'valid' | 'invalid';
    }[];
  }[];
}

/**
 * Vectors of json_web_signature_test whose label is not used. 367 and 370 are byte for byte the valid 357,
 * because the file lost their padding. 346, 347, 350 and 351 are valid under a key whose own `alg` is another
 * or unknown algorithm. 372 and 373 have characters that are not base64url. Six are valid JWS without a
 * payload, and therefore not JWTs.
 */
const MISLABELLED = [367, 370];
const NOT_TAKEN = [346, 347, 350, 351, 372, 373];

/** Verdicts on the vectors of one file. */
interface SuiteVerdicts {
  readonly vectors: number;
  /** Vectors that must be refused, and those of them that were refused. */
  readonly bad: number;
  readonly badRefused: number;
  readonly good: number;
  readonly goodAccepted: number;
  /** Vectors whose verdict differs from the expected one. */
  readonly wrong: readonly string[];
}

/** Checks one file of Wycheproof; `undefined` if there is no copy. Encrypted tokens must all be refused. */
export function judgeSuite(
  name: 'signature' | 'key' | 'crypto' | 'encryption',
  judge: Judge,
): SuiteVerdicts | undefined {
  const file = suiteJson('wycheproof', 'testvectors_v1', `json_web_${name}_test.json`) as
    | SuiteFile
    | undefined;
  if (!file) return undefined;
  const vectors = vectorsOf(file).filter(({ tcId }) => !(name === 'signature' && MISLABELLED.includes(tcId)));
  const checked = vectors.map((vector) => {
    const good = vector.isValid && !isOutOfScope(vector, name);
    return { ...vector, good, right: judge(vector.text, vector.keys) === good };
  });
  const count = (good: boolean, right?: true): number =>
    checked.filter((one) => one.good === good && (right === undefined || one.right)).length;
  return {
    vectors: vectors.length,
    bad: count(false),
    badRefused: count(false, true),
    good: count(true),
    goodAccepted: count(true, true),
    wrong: checked.filter(({ right }) => !right).map(({ tcId, comment }) => `${name} ${tcId} ${comment}`),
  };
}

interface SuiteVector {
  readonly tcId: number;
  readonly comment: string;
  readonly text: string;
  readonly keys: readonly JsonWebKey[];
  readonly isValid: boolean;
}

function vectorsOf({ testGroups }: SuiteFile): readonly SuiteVector[] {
  return testGroups.flatMap(({ public: open, private: closed, tests }) => {
    const shown = open ?? closed ?? {};
    const keys = shown.keys ?? [shown];
    return tests.map(({ tcId, comment, jws, jwe = '', result }) => {
      return { tcId, comment, text: jws ?? jwe, keys, isValid: result === 'valid' };
    });
  });
}

/** Returns true for vectors that the suite calls valid and gatehouse refuses by design. */
function isOutOfScope({ tcId, text, keys }: SuiteVector, name: string): boolean {
  const [, payload, , ...more] = text.split('.');
  if (more.length > 0) return true;
  // A shared secret is configured as the only key; a published set must not contain it.
  if (keys.length > 1 && keys.some(({ kty }) => kty === 'oct')) return true;
  return payload === '' || (name === 'signature' && NOT_TAKEN.includes(tcId));
}

const ASYMMETRIC = Object.keys(ALGORITHMS).filter(
  (name): name is Algorithm => isAlgorithm(name) && algorithmKind(name).family !== 'secret',
);

/** The parts that judge tokens here, but for the claims, which the vectors do not have. */
export const gatehouseJudge: Judge = (jws, keys) => {
  try {
    const { alg, kid } = readJws(jws);
    const single = keys.length === 1 && keys[0]?.kty === 'oct' ? secretOf(keys[0]) : undefined;
    const held = single ? [single] : readKeySet({ keys: keys.map(publicPart) }, ASYMMETRIC).keys;
    const key = pickKey({ keys: held }, { alg, kid });
    if (!key) return false;
    jwt.verify(jws, key.key, { algorithms: [alg as jwt.Algorithm] });
    return true;
  } catch {
    return false;
  }
};

/** Selects the key by its kid, and accepts any algorithm that the token names. */
export const plainJudge: Judge = (jws, keys) => {
  try {
    const { kid } = JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as {
      kid?: string;
    };
    const jwk = keys.find((key) => key['kid'] === kid) ?? keys[0];
    jwt.verify(jws, keyOf(jwk ?? {}));
    return true;
  } catch {
    return false;
  }
};

function keyOf(jwk: JsonWebKey): KeyObject {
  if (jwk.kty === 'oct') return createSecretKey(Buffer.from(jwk.k ?? '', 'base64url'));
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/**
 * Returns a secret as an operator would configure it; undefined for a key that is labeled for another use.
 */
function secretOf(jwk: JsonWebKey): VerificationKey | undefined {
  const { alg, use, key_ops: operations, kid } = jwk as Readonly<Record<string, unknown>>;
  const forUs = (use ?? 'sig') === 'sig' && (!Array.isArray(operations) || operations.includes('verify'));
  if (!forUs || !isAlgorithm(alg)) return undefined;
  const key = keyOf(jwk);
  if ((key.symmetricKeySize ?? 0) < (algorithmKind(alg).secretBytes ?? Infinity)) return undefined;
  return { ...(typeof kid === 'string' && { kid }), algorithms: [alg], key };
}

/** Members of private keys, which the suite's groups have and a published set must not. */
const PRIVATE = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

function publicPart(jwk: JsonWebKey): JsonWebKey {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !PRIVATE.has(name)));
}
