import { createHmac } from 'node:crypto';
import { ALGORITHMS } from '../../src/auth/keys.js';
import { encodePart, makeKeys, signToken, type TestIssuer } from '../../test/support/tokens.js';
import { claimVectors, encodingVectors } from './claim-vectors.js';
import { refused, type TokenVector } from './token-vector.js';

type Members = Readonly<Record<string, unknown>>;

const hmac = (input: string, key: string | Buffer, hash = 'sha256'): string =>
  `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;

/** Returns our own tokens for an ES256 issuer; each has one fault, a few are valid. */
export function ownVectors(idp: TestIssuer): readonly TokenVector[] {
  return [
    ...algorithms(idp),
    ...keyChoice(idp),
    ...headers(idp),
    ...claimVectors(idp),
    ...encodingVectors(idp),
  ];
}

function algorithms(idp: TestIssuer): readonly TokenVector[] {
  const [, payload = '', signature = ''] = idp.sign().split('.');
  const unsigned = [
    'none',
    'None',
    'nOnE',
    'NONE',
    'none ',
    '',
    null,
    0,
    true,
    ['ES256'],
    { alg: 'ES256' },
    undefined,
  ];
  const headerOf = (alg: unknown): string => encodePart(JSON.stringify({ alg, typ: 'JWT' }));
  const others = Object.keys(ALGORITHMS).filter((name) => name !== 'ES256' && !name.startsWith('HS'));
  const pem = idp.publicKey.export({ type: 'spki', format: 'pem' });
  const secrets: readonly (readonly [string, string | Buffer])[] = [
    ['the PEM text', pem],
    ['the PEM text without its last line break', pem.toString().trimEnd()],
    ['the DER bytes', idp.publicKey.export({ type: 'spki', format: 'der' })],
    ['the JWK text', JSON.stringify(idp.jwk)],
    ['nothing', ''],
  ];
  return [
    ...unsigned.flatMap((alg) => [
      refused(
        'J1',
        `alg ${JSON.stringify(alg)} with the signature`,
        `${headerOf(alg)}.${payload}.${signature}`,
      ),
      refused('J1', `alg ${JSON.stringify(alg)} without`, `${headerOf(alg)}.${payload}.`),
    ]),
    ...others.flatMap((algorithm) => [
      refused('J1', `${algorithm} by another key`, foreign(idp, algorithm)),
      refused(
        'J1',
        `${algorithm} with the signature of ES256`,
        `${headerOf(algorithm)}.${payload}.${signature}`,
      ),
    ]),
    ...['HS256', 'HS384', 'HS512'].flatMap((algorithm) =>
      secrets.map(([name, key]) =>
        refused(
          'J1',
          `${algorithm} with ${name} of the public key`,
          hmac(`${headerOf(algorithm)}.${payload}`, key, `sha${algorithm.slice(2)}`),
        ),
      ),
    ),
    refused('J1', 'ES256 by another key', foreign(idp, 'ES256')),
  ];
}

type Keys = ReturnType<typeof makeKeys>;
const strangers = new Map<string, Keys>();

/** Returns an untrusted key. All RSA algorithms share one key, because RSA keys take long to create. */
function strangerOf(algorithm: string): Keys {
  const family = algorithm.startsWith('ES') ? algorithm : 'RSA';
  const keys = strangers.get(family) ?? makeKeys(algorithm);
  strangers.set(family, keys);
  return keys;
}

/** Returns a token with the claims of the issuer, signed with an untrusted key. */
function foreign(idp: TestIssuer, algorithm: string): string {
  const payload = Buffer.from(idp.sign().split('.')[1] ?? '', 'base64url').toString();
  const header = JSON.stringify({ alg: algorithm, typ: 'JWT', kid: idp.jwk['kid'] });
  return signToken({ algorithm, key: strangerOf(algorithm).privateKey, header, payload });
}

/**
 * Returns tokens for an issuer whose configured key has no kid, so that a valid signature counts whatever key
 * the header names.
 */
function keyChoice(idp: TestIssuer): readonly TokenVector[] {
  const kids = [
    ...['../../../../dev/null', '/proc/self/environ', "x' UNION SELECT 'key';--", '|sleep 10', '__proto__'],
    ...['constructor', 'toString', '', 'unknown', 'http://evil.test/key', '\u0000', 'a'.repeat(256)],
  ];
  const places = ['jku', 'x5u', 'jwk', 'x5c', 'x5t', 'x5t#S256'];
  const unknownCaller = makeKeys('ES256');
  const jwk = unknownCaller.publicKey.export({ format: 'jwk' });
  const payload = Buffer.from(idp.sign().split('.')[1] ?? '', 'base64url').toString();
  const strange = (more: Members): string =>
    signToken({
      algorithm: 'ES256',
      key: unknownCaller.privateKey,
      header: JSON.stringify({ alg: 'ES256', ...more }),
      payload,
    });
  return [
    ...kids.map((kid) => ({
      id: 'J2',
      name: `kid ${kid.slice(0, 20)}`,
      token: idp.sign({}, { kid }),
      accepted: true,
    })),
    ...kids.map((kid) => refused('J2', `kid ${kid.slice(0, 20)}, another key`, strange({ kid }))),
    ...[['x'], { a: 1 }, 7, null, 'a'.repeat(257)].map((kid) =>
      refused('J2', 'kid that is invalid', idp.sign({}, { kid })),
    ),
    ...places.map((place) =>
      refused(
        'J2',
        `key at ${place}`,
        strange({ [place]: place === 'jwk' ? jwk : ['https://127.0.0.1:9/jwks'] }),
      ),
    ),
    ...places.map((place) =>
      refused('J2', `key at ${place}, as text`, strange({ [place]: 'http://127.0.0.1:9/jwks', kid: 'x' })),
    ),
  ];
}

function headers(idp: TestIssuer): readonly TokenVector[] {
  const bad: readonly Members[] = [
    ...[[], ['exp'], ['b64'], 'exp', null, {}].map((crit) => ({ crit })),
    ...[true, false, null, 'false'].map((b64) => ({ b64 })),
    ...['DEF', null, ''].map((zip) => ({ zip })),
    ...['JWT', 'jwt', null].map((cty) => ({ cty })),
    ...['JOSE', 'dpop+jwt', 'logout+jwt', 'id_token', '', null, 1, ['JWT']].map((typ) => ({ typ })),
    { pad: 'x'.repeat(1_024) },
  ];
  const payload = Buffer.from(idp.sign().split('.')[1] ?? '', 'base64url').toString();
  const texts = [
    '{"alg":"none","alg":"ES256"}',
    '{"alg":"ES256","\\u0061lg":"ES256"}',
    '["ES256"]',
    '"ES256"',
    'null',
    '{',
    '\ufeff{"alg":"ES256"}',
  ];
  return [
    ...bad.map((header) => refused('J3', JSON.stringify(header).slice(0, 40), idp.sign({}, header))),
    ...texts.map((text) => refused('J3', `header ${text}`, idp.signTexts(text, payload))),
    ...['at+jwt', 'JWT', 'jwt', 'AT+JWT', undefined].map((typ) => ({
      id: 'J3',
      name: `typ ${typ}`,
      token: idp.sign({}, { typ }),
      accepted: true,
    })),
  ];
}
