import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readKeySet } from '../../src/auth/jwk.js';
import type { Algorithm } from '../../src/auth/keys.js';
import { column, columns } from '../support/columns.js';
import { rsaKeys } from '../support/keys.js';
import { rocaKey, rsaKey } from './bad-keys.js';

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384'] as const;
const rsaPair = rsaKeys('key-set');
const ecPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = rsaPair.publicKey.export({ format: 'jwk' });
const ec = ecPair.publicKey.export({ format: 'jwk' });

function reasonOf(jwk: unknown): string {
  const { keys, refused } = readKeySet({ keys: [jwk] }, ALGORITHMS);
  assert.equal(keys.length, 0);
  assert.equal(refused[0]?.at, 0);
  return refused[0].reason;
}

describe('readKeySet', () => {
  it('returns each key with the algorithms that it fits', () => {
    const set = { keys: [{ ...rsa, kid: 'a' }, { ...rsa, kid: 'b', alg: 'PS256', use: 'sig' }, { ...ec, key_ops: ['verify'] }] }; // prettier-ignore
    const { keys, refused } = readKeySet(set, ALGORITHMS);
    assert.deepEqual(refused, []);
    assert.deepEqual(columns(keys, 'kid', 'algorithms'), [
      ['a', ['RS256', 'PS256']],
      ['b', ['PS256']],
      [undefined, ['ES256']],
    ]);
  });

  const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({ format: 'jwk' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['a private RSA key', rsaPair.privateKey.export({ format: 'jwk' }), /private/],
    ['a private EC key', ecPair.privateKey.export({ format: 'jwk' }), /private/],
    ['an empty private member', { ...ec, d: '' }, /private/],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, /symmetric/],
    ['an empty symmetric key', { kty: 'oct', k: '' }, /symmetric/],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map(
      (name) =>
        [`a public key with the secret ${name} in it`, { ...rsa, [name]: 'c2VjcmV0' }, /private/] as const,
    ),
    ['an encryption key', { ...rsa, use: 'enc' }, /use/],
    ['a use that is not a string', { ...rsa, use: ['sig'] }, /use/],
    ['a signing key', { ...rsa, key_ops: ['sign'] }, /key_ops/],
    ['no operation', { ...rsa, key_ops: [] }, /key_ops/],
    ['key_ops that are not a list', { ...rsa, key_ops: 'verify' }, /key_ops/],
    ['another algorithm', { ...rsa, alg: 'RSA-OAEP' }, /fits none/],
    ['an algorithm that is not configured', { ...rsa, alg: 'RS512' }, /fits none/],
    ['the algorithm of another kind of key', { ...rsa, alg: 'ES256' }, /fits none/],
    ['the algorithm of another curve', { ...p384, alg: 'ES256' }, /fits none/],
    ['an algorithm for secrets', { ...rsa, alg: 'HS256' }, /fits none/],
    ['no algorithm at all', { ...rsa, alg: 'none' }, /fits none/],
    ['an algorithm that is not a string', { ...rsa, alg: null }, /fits none/],
    ['a curve that is not configured', p521, /fits none/],
    ['another type', generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), /fits none/],
    ['a point off the curve', { ...ec, y: ec.x }, /cannot|can be read/],
    ['a point without y', { kty: 'EC', crv: 'P-256', x: ec.x }, /can be read/],
    ['no modulus', { kty: 'RSA', e: 'AQAB' }, /can be read/],
    ['an unknown type', { kty: 'XYZ' }, /can be read/],
    ['no type', { n: rsa.n, e: rsa.e }, /can be read/],
    [
      '1024 bits',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
      /1024 bits/,
    ],
    ['e = 1', rsaKey({ e: 1n }).export({ format: 'jwk' }), /exponent/],
    ['the ROCA fingerprint', rocaKey().export({ format: 'jwk' }), /ROCA/],
    ['a kid that is a number', { ...rsa, kid: 1 }, /kid/],
    ['a kid of 257 letters', { ...rsa, kid: 'k'.repeat(257) }, /kid/],
    ['a text', 'RSA', /not a JSON object/],
    ['nothing', null, /not a JSON object/],
  ];
  it('omits unusable keys and keeps the valid keys', () => {
    for (const [name, jwk, reason] of bad) {
      assert.match(reasonOf(jwk), reason, name);
      const { keys } = readKeySet({ keys: [jwk, { ...ec, kid: 'good' }] }, ALGORITHMS);
      assert.deepEqual(column(keys, 'kid'), ['good'], name);
    }
  });

  it('omits every key of a duplicate kid', () => {
    const keys: JsonWebKey[] = [{ ...rsa, kid: 'a' }, { ...ec, kid: 'a' }, { ...ec, kid: 'b' }]; // prettier-ignore
    const reading = readKeySet({ keys }, ALGORITHMS);
    assert.deepEqual(column(reading.keys, 'kid'), ['b']);
    assert.deepEqual(columns(reading.refused, 'at', 'reason'), [
      [0, 'has the same kid as another key'],
      [1, 'has the same kid as another key'],
    ]);
  });

  it('accepts a kid that a signing key and an encryption key share', () => {
    const keys = [{ ...rsa, kid: 'a', use: 'enc' }, { ...ec, kid: 'a' }]; // prettier-ignore
    assert.equal(readKeySet({ keys }, ALGORITHMS).keys.length, 1);
  });

  it('rejects a document that is not a key set and a set with more than 100 keys', () => {
    for (const document of [null, [], 'x', {}, { keys: {} }, { keys: null }, rsa])
      assert.throws(() => readKeySet(document, ALGORITHMS), /not a JWK set/);
    const many = (count: number): object => ({
      keys: Array.from({ length: count }, (_, at) => ({ ...ec, kid: `${at}` })),
    });
    assert.equal(readKeySet(many(100), ALGORITHMS).keys.length, 100);
    assert.throws(() => readKeySet(many(101), ALGORITHMS), /more than 100 keys/);
  });
});

describe('readKeySet with Ed25519 keys', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });

  it('identity review 2: uses them only for an issuer that lists EdDSA or Ed25519', () => {
    const algorithmsFor = (alg: string | undefined, listed: readonly Algorithm[]) =>
      readKeySet({ keys: [{ ...jwk, kid: 'k', alg, use: 'sig' }] }, listed).keys[0]?.algorithms;
    assert.deepEqual(algorithmsFor('EdDSA', ['RS256', 'EdDSA']), ['EdDSA']);
    assert.deepEqual(algorithmsFor('Ed25519', ['EdDSA', 'Ed25519']), ['Ed25519']);
    assert.deepEqual(algorithmsFor(undefined, ['EdDSA']), ['EdDSA']);
    assert.equal(algorithmsFor('EdDSA', ['RS256', 'ES256']), undefined);
    assert.equal(algorithmsFor('ES256', ['ES256', 'EdDSA']), undefined);
  });
});
