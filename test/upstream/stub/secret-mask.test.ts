import assert from 'node:assert/strict';
import { Secret } from '../../../src/core/secret.js';
import { createSecretMask } from '../../../src/upstream/stub/secret-mask.js';

describe('the secret mask of an adapter', () => {
  it('masks every secret of the settings in its usual spellings', () => {
    const settings = {
      auth: { value: new Secret('a "b"/ä') },
      options: { headers: [new Secret('other-one')] },
    };
    const { redact } = createSecretMask(settings, {});
    for (const text of ['a "b"/ä', JSON.stringify('a "b"/ä'), encodeURIComponent('a "b"/ä'), 'x other-one y'])
      assert.doesNotMatch(redact(text), /b|other/, text);
  });

  it('masks the longer of two overlapping secrets as a whole', () => {
    const { redact } = createSecretMask([new Secret('abcdef'), new Secret('abcdefghij')], {});
    assert.equal(redact('abcdefghij'), '[redacted]');
  });

  it('does not mask very short values, which occur in ordinary text', () => {
    assert.equal(createSecretMask([new Secret('true')], {}).redact('it is true'), 'it is true');
  });

  it('masks a session value until its last user releases it', () => {
    const events: string[] = [];
    const onSecret = (value: string) => {
      events.push(`+${value}`);
      return () => events.push(`-${value}`);
    };
    const { mask: keep, redact } = createSecretMask(
      {},
      { onSecret, redact: (text) => text.replace('y', 'z') },
    );
    const releases = [keep('session-1'), keep('session-1')];
    assert.equal(redact('x session-1 y'), 'x [redacted] z');
    releases[0]?.();
    assert.equal(redact('session-1'), '[redacted]');
    releases[1]?.();
    assert.equal(redact('session-1'), 'session-1');
    assert.deepEqual(events, ['+session-1', '+session-1', '-session-1', '-session-1']);
  });
});
