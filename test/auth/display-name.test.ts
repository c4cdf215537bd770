import assert from 'node:assert/strict';
import { DEFAULT_NAME_CLAIMS, displayName } from '../../src/auth/claims.js';
import type { JsonObject } from '../../src/json/json-object.js';

describe('displayName', () => {
  const cases: readonly (readonly [string, JsonObject, string | undefined])[] = [
    ['prefers preferred_username', { email: 'a@x.test', preferred_username: 'alice' }, 'alice'],
    ['uses the email without it', { email: 'a@x.test' }, 'a@x.test'],
    ['does not use an email that is not verified', { email: 'a@x.test', email_verified: false }, undefined],
    ['has none without these claims', { name: 'Alice' }, undefined],
    ['skips an empty text', { preferred_username: ' ', email: 'a@x.test' }, 'a@x.test'],
    ['skips a list', { preferred_username: ['alice'] }, undefined],
    ['skips a long text', { preferred_username: 'a'.repeat(257) }, undefined],
    ['skips control characters', { preferred_username: 'alice\n' }, undefined],
    ['skips characters that turn the direction of text', { preferred_username: 'alice\u202e' }, undefined],
  ];
  for (const [what, payload, expected] of cases)
    it(what, () => {
      assert.equal(displayName(payload, DEFAULT_NAME_CLAIMS), expected);
    });

  it('uses the configured claims in their order, by name or by pointer', () => {
    const payload = { name: 'Alice', profile: { login: 'al' } };
    assert.equal(displayName(payload, 'name'), 'Alice');
    assert.equal(displayName(payload, ['/profile/login', 'name']), 'al');
    assert.equal(displayName(payload, ['constructor', '/profile/none', 'name']), 'Alice');
  });
});
