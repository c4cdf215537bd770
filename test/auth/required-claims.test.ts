import assert from 'node:assert/strict';
import { RejectedToken } from '../../src/auth/rejected-token.js';
import { checkRequiredClaims } from '../../src/auth/required-claims.js';
import type { JsonObject } from '../../src/json/json-object.js';

describe('checkRequiredClaims', () => {
  type Required = Parameters<typeof checkRequiredClaims>[1];
  const reasonOf = (payload: JsonObject, required: Required): string => {
    try {
      checkRequiredClaims(payload, required);
      return 'accepted';
    } catch (error) {
      assert.ok(error instanceof RejectedToken && error.rejection === 'claims');
      return error.message;
    }
  };

  const accepted: readonly (readonly [JsonObject, Required])[] = [
    [{}, {}],
    [{ azp: 'cli' }, { azp: 'cli' }],
    [{ azp: 'cli' }, { azp: ['netbot', 'cli'] }],
    [{ scope: 'openid network profile' }, { scope: 'network' }],
    [{ scp: ['network'] }, { scp: 'network' }],
    [{ acr: '2' }, { acr: ['2', '3'] }],
    [{ email_verified: true }, { email_verified: true }],
    [{ acr: 2 }, { acr: 2 }],
    [{ groups: ['/a', '/network'] }, { groups: '/network' }],
    [{ realm: { name: 'net' } }, { '/realm/name': 'net' }],
  ];
  it('accepts the required values', () => {
    for (const [payload, required] of accepted)
      assert.equal(reasonOf(payload, required), 'accepted', JSON.stringify(payload));
  });

  const rejected: readonly (readonly [JsonObject, Required, string])[] = [
    [{}, { azp: 'cli' }, 'the claim azp is missing'],
    [{ azp: null }, { azp: 'cli' }, 'the claim azp is missing'],
    [{ azp: 'other' }, { azp: ['cli'] }, 'the claim azp has none of the values of requiredClaims'],
    [{ azp: 'cli other' }, { azp: 'cli' }, 'the claim azp has none of the values of requiredClaims'],
    [{ scope: 'networks' }, { scope: 'network' }, 'the claim scope has none of the values of requiredClaims'],
    [{ acr: '2' }, { acr: 2 }, 'the claim acr is a text, and requiredClaims expects a number'],
    [{ acr: [] }, { acr: 2 }, 'the claim acr is an empty list'],
    [{ acr: { a: 1 } }, { acr: 'x' }, 'the claim acr is an object, and requiredClaims expects a text'],
    [
      { email_verified: 'true' },
      { email_verified: true },
      'the claim email_verified is a text, and requiredClaims expects a boolean',
    ],
    [{ azp: 'cli' }, { azp: 'cli', acr: '2' }, 'the claim acr is missing'],
    [{}, { constructor: 'x' }, 'the claim constructor is missing'],
  ];
  it('rejects other values', () => {
    for (const [payload, required, reason] of rejected)
      assert.equal(reasonOf(payload, required), reason, JSON.stringify(payload));
  });
});
