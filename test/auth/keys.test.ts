import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { generate } from 'selfsigned';
import {
  type Algorithm,
  type KeyFault,
  type KeyReading,
  readHmacSecret,
  readPublicKey,
} from '../../src/auth/keys.js';
import { Secret } from '../../src/core/secret.js';
import { rsaKeys } from '../support/keys.js';
import { rocaKey, rsaKey } from './bad-keys.js';

const rsa = rsaKeys('key-file');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

function faultOf(reading: KeyReading): KeyFault {
  if ('fault' in reading) return reading.fault;
  return assert.fail('the key was taken');
}

describe('readPublicKey', () => {
  it('reads SPKI, PKCS #1 and certificates', async () => {
    const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const certified = rsaKeys('certificate');
    const { cert } = await generate([{ name: 'commonName', value: 'idp' }], {
      keyPair: {
        publicKey: spki(certified.publicKey),
        privateKey: certified.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    });
    for (const pem of [spki(rsa.publicKey), pkcs1, `\n${spki(rsa.publicKey)}\n`, cert]) {
      const reading = readPublicKey(pem, ['RS256', 'PS512']);
      assert.ok('key' in reading);
      assert.deepEqual(reading.key.algorithms, ['RS256', 'PS512']);
      assert.equal(reading.key.key.type, 'public');
    }
  });

  const curves: readonly (readonly [Algorithm, string])[] = [
    ['ES256', 'P-256'],
    ['ES384', 'P-384'],
    ['ES512', 'P-521'],
  ];
  for (const [algorithm, namedCurve] of curves)
    it(`accepts a ${namedCurve} key only for ${algorithm}`, () => {
      const pem = spki(generateKeyPairSync('ec', { namedCurve }).publicKey);
      assert.ok('key' in readPublicKey(pem, [algorithm]));
      for (const [other] of curves.filter(([name]) => name !== algorithm)) {
        assert.equal(faultOf(readPublicKey(pem, [algorithm, other])).algorithm, other);
      }
      assert.equal(faultOf(readPublicKey(pem, ['RS256'])).algorithm, 'RS256');
    });

  it('reports an algorithm that does not fit the key', () => {
    const fault = faultOf(readPublicKey(spki(rsa.publicKey), ['RS256', 'ES256']));
    assert.deepEqual(
      [fault.algorithm, fault.message],
      ['ES256', 'does not fit the key, which is of type rsa'],
    );
    for (const type of ['ed25519', 'rsa-pss'] as const) {
      const { publicKey } = type === 'ed25519' ? generateKeyPairSync(type) : rsaKeys('key-file', { type });
      assert.match(faultOf(readPublicKey(spki(publicKey), ['PS256'])).message, new RegExp(type));
    }
    const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey;
    assert.match(faultOf(readPublicKey(spki(secp256k1), ['ES256'])).message, /secp256k1/);
  });

  it('rejects a private key and recommends how to extract the public key', () => {
    const texts = [
      rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }),
      p256.privateKey.export({ type: 'sec1', format: 'pem' }),
      rsa.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }),
      spki(rsa.publicKey) + rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ];
    for (const text of texts) {
      const { message, fix } = faultOf(readPublicKey(text.toString(), ['RS256']));
      assert.equal(message, 'holds a private key');
      assert.match(fix, /openssl pkey -in KEY -pubout/);
    }
  });

  it('rejects a file without exactly one readable key', () => {
    const broken = spki(p256.publicKey).replace(/\n.{8}/, '\nAAAAAAAA');
    const texts = ['', 'ssh-rsa AAAA', '{"kty":"RSA"}', spki(rsa.publicKey) + spki(p256.publicKey), broken];
    for (const text of texts) assert.match(faultOf(readPublicKey(text, ['RS256'])).message, /^is not/);
  });

  it('rejects a weak key', () => {
    const weak: readonly (readonly [string, RegExp])[] = [
      [spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /1024 bits/],
      [spki(rsaKeys('key-file', { bits: 2040 }).publicKey), /2040 bits/],
      [spki(rsaKey({ e: 1n })), /exponent/],
      [spki(rsaKey({ e: 3n })), /exponent/],
      [spki(rsaKey({ e: 65536n })), /exponent/],
      [spki(rsaKey({ e: 65538n })), /exponent/],
      [spki(rocaKey()), /ROCA/],
    ];
    for (const [text, reason] of weak) assert.match(faultOf(readPublicKey(text, ['RS256'])).message, reason);
    assert.ok('key' in readPublicKey(spki(rsaKey({ e: 65539n })), ['RS256']));
  });
});

describe('readHmacSecret', () => {
  const sizes: readonly (readonly [Algorithm, number])[] = [
    ['HS256', 32],
    ['HS384', 48],
    ['HS512', 64],
  ];
  for (const [algorithm, size] of sizes)
    it(`requires at least ${size} bytes for ${algorithm}`, () => {
      const text = randomBytes(size).toString('hex');
      const reading = readHmacSecret(new Secret(text.slice(0, size)), [algorithm]);
      assert.ok('key' in reading);
      assert.equal(reading.key.key.export().toString(), text.slice(0, size));
      const { message } = faultOf(readHmacSecret(new Secret(text.slice(0, size - 1)), [algorithm]));
      assert.match(message, new RegExp(`has ${size - 1} bytes, fewer than the ${size}`));
      assert.ok(!message.includes(text.slice(0, 8)));
    });

  it('requires enough bytes for every algorithm', () => {
    assert.match(faultOf(readHmacSecret(new Secret('x'.repeat(40)), ['HS256', 'HS512'])).message, /the 64/);
    assert.ok('key' in readHmacSecret(new Secret('ä'.repeat(16)), ['HS256']));
    assert.match(faultOf(readHmacSecret(new Secret(''), ['HS256'])).message, /0 bytes/);
  });

  it('rejects PEM and JWK text', () => {
    const jwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }));
    for (const text of [spki(rsa.publicKey), `\n ${spki(rsa.publicKey)}`, jwk, ` ${jwk}`])
      assert.equal(faultOf(readHmacSecret(new Secret(text), ['HS256'])).message, 'is PEM or JWK text');
    assert.ok('key' in readHmacSecret(new Secret(`{${randomBytes(32).toString('hex')}`), ['HS256']));
  });
});
