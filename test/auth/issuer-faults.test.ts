import assert from 'node:assert/strict';
import { algorithmFaults, locationFaults, nameFaults, signInFaults } from '../../src/auth/issuer-faults.js';
import { Secret } from '../../src/core/secret.js';
import type { IssuerSettings } from '../../src/settings/settings.js';
import { ISSUER_SETTINGS } from './fixtures.js';

const settings: IssuerSettings = ISSUER_SETTINGS;
const SECRET = new Secret('x'.repeat(32));
const OF_SECRETS = 'HS256, HS384, HS512';
const OF_KEYS = 'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519';

describe('issuer faults', () => {
  it('report a duplicate issuer name', () => {
    const names = ['a', 'gatehouse', 'a', 'client-certificate'].map((issuer) => ({ ...settings, issuer }));
    const fix = 'Configure every issuer once, with the iss of its tokens.';
    const messages = [
      'is the name of the built-in issuer',
      'is the name of another issuer above',
      'is the name for callers with a client certificate',
    ];
    assert.deepEqual(
      nameFaults(names),
      messages.map((message, at) => ({ pointer: `/${at + 1}/issuer`, code: 'auth_issuer', message, fix })),
    );
  });

  for (const [what, given, taken, faults] of [
    ['no algorithm', { algorithms: [] }, [], [['', 'is empty', OF_KEYS]]],
    [
      'an unknown algorithm',
      { algorithms: ['none', 'ES256'] },
      ['ES256'],
      [['/0', 'is not an accepted algorithm', OF_KEYS]],
    ],
    [
      'an HMAC algorithm for public keys',
      { algorithms: ['HS256'] },
      ['HS256'],
      [['/0', 'needs a secret, but this issuer has public keys', OF_KEYS]],
    ],
    [
      'a public-key algorithm for a secret',
      { algorithms: ['RS256'], secret: SECRET },
      ['RS256'],
      [['/0', 'needs a public key, but this issuer has a secret', OF_SECRETS]],
    ],
    ['valid algorithms', { algorithms: ['ES256', 'PS512'] }, ['ES256', 'PS512'], []],
    ['valid algorithms for a secret', { algorithms: ['HS384'], secret: SECRET }, ['HS384'], []],
  ] as const)
    // prettier-ignore
    it(`report the permitted algorithms for ${what}`, () => {
      assert.deepEqual(algorithmFaults({ ...settings, ...given }, '/3'), {
        algorithms: taken,
        faults: faults.map(([below, message, names]) => ({
          pointer: `/3/algorithms${below}`,
          code: 'auth_algorithm',
          message,
          fix: `Name one or more of ${names}.`,
        })),
      });
    });

  it('report a missing or insecure key location', () => {
    for (const [given, ...expected] of [
      [
        { jwksUri: 'http://a.test/keys' },
        'is not an https address, or contains credentials | Give an https address without credentials in it; http is for this machine only.',
      ],
      [
        { issuer: 'a', discovery: true },
        'needs an issuer that is an https address | Give an issuer that is an https address, or its jwksUri instead of discovery.',
      ],
      [{}, 'has no keys | Set one of discovery, jwksUri, publicKeyFile and secret.'],
      [{ jwksUri: 'https://a.test/keys' }],
      [{ discovery: true }],
    ] as const) {
      const faults = locationFaults({ ...settings, ...given }, '/0');
      assert.deepEqual(
        faults.map(({ message, fix }) => `${message} | ${fix}`),
        expected,
      );
    }
  });

  it('report the settings that a sign-in requires', () => {
    const signIn = { clientId: 'a', scopes: [], timeoutSeconds: 10, endSession: true };
    const code = 'auth_sign_in';
    assert.deepEqual(
      signInFaults([{ ...settings, signIn }, { ...settings, signIn, discovery: true }, settings], null),
      [
        {
          pointer: '/0/signIn',
          code,
          message: 'needs an issuer with discovery',
          fix: 'Set discovery: true instead of jwksUri, publicKeyFile or secret.',
        },
        {
          pointer: '/1/signIn',
          code,
          message: 'needs server.publicUrl',
          fix: 'Set server.publicUrl to the origin that people type, for example https://gateway.example.',
        },
      ],
    );
    assert.deepEqual(signInFaults([{ ...settings, signIn, discovery: true }], 'https://gateway.test'), []);
  });
});
