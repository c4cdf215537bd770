import assert from 'node:assert/strict';
import fc from 'fast-check';
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
    const options = { onSecret, redact: (text: string) => text.replace('y', 'z') };
    const { mask: keep, redact } = createSecretMask({}, options);
    const releases = [keep('session-1'), keep('session-1')];
    assert.equal(redact('x session-1 y'), 'x [redacted] z');
    releases[0]?.();
    assert.equal(redact('session-1'), '[redacted]');
    releases[1]?.();
    assert.equal(redact('session-1'), 'session-1');
    assert.deepEqual(events, ['+session-1', '+session-1', '-session-1', '-session-1']);
  });

  describe('finding F13: in the body of a reply', () => {
    const SECRET = 'S3cr3t/"nso1"-Ä';
    const { redactReply, mask } = createSecretMask({ password: new Secret(SECRET) }, {});
    const redact = async (body: string | Buffer) => {
      const reply = { status: 200, headers: {}, body: Buffer.from(body) };
      return (await redactReply(reply)).body.toString();
    };
    const BASIC = Buffer.from(`ada:${SECRET}`).toString('base64');
    const percent = [...Buffer.from(SECRET)].map((byte) => `%${byte.toString(16)}`).join('');
    const escaped = JSON.stringify(SECRET).replace('S3', '\\u0053\\u0033');

    for (const [how, body] of [
      ['as it is', JSON.stringify({ echo: `password ${SECRET}` })],
      ['in Basic credentials', JSON.stringify({ echo: `Basic ${BASIC}` })],
      ['in JSON in JSON', JSON.stringify({ echo: JSON.stringify({ password: SECRET }) })],
      ['as the name of a member', JSON.stringify({ [SECRET]: 1 })],
      ['in a URL', JSON.stringify({ echo: `/login?password=${encodeURIComponent(SECRET)}` })],
      ['with every byte percent-encoded', JSON.stringify({ echo: percent.toUpperCase() })],
      ['with JSON escapes', `{ "echo": ${escaped} }`],
    ] as const)
      it(`redacts the secret ${how}, and keeps JSON valid`, async () => {
        const redacted = await redact(body);
        assert.match(redacted, /\[redacted\]/);
        assert.doesNotMatch(JSON.stringify(JSON.parse(redacted)), /cr3t|nso1|bnNvMS/);
      });

    it('redacts session values', async () => {
      const release = mask('session-4711');
      assert.equal(await redact('["session-4711"]'), '["[redacted]"]');
      release();
      assert.equal(await redact('["session-4711"]'), '["session-4711"]');
    });

    it('finds the secret wherever the pieces of a long body begin', async () => {
      for (const before of [262_144 - 20, 262_144 - 6, 262_144 - 1, 262_144, 262_145])
        assert.ok((await redact('x'.repeat(before) + SECRET)).endsWith('x[redacted]'), String(before));
    });

    it('replaces many values, and decodes many escapes, in turns of the event loop', async () => {
      const turnsOf = async (body: string): Promise<readonly [turns: number, text: string]> => {
        let turns = 0;
        let isDone = false;
        const count = (): void => {
          turns += 1;
          if (!isDone) setImmediate(count);
        };
        setImmediate(count);
        const text = await redact(body);
        isDone = true;
        return [turns, text];
      };
      // Each piece ends inside of another part of a value.
      const row = `${SECRET},`.repeat(50_000);
      const [turns, masked] = await turnsOf(row);
      assert.equal(masked, '[redacted],'.repeat(50_000));
      assert.ok(turns >= 10, `${turns} turns`);
      const text = '\\\\\\u0041\\u00e4a\\\\u0042'.repeat(30_000);
      const [others, decoded] = await turnsOf(`"${text}${escaped.slice(1, -1)}"`);
      assert.equal(decoded, `"${'\\\\A\\u00e4a\\\\u0042'.repeat(30_000)}[redacted]"`);
      assert.ok(others >= 10, `${others} turns`);
    });

    it('masks values that overlap or adjoin as one, wherever a piece ends', async () => {
      const twice = createSecretMask([new Secret('abcdef'), new Secret('cdefghijkl')], {});
      for (let before = 65_440; before < 65_560; before += 7)
        for (const values of ['abcdefghijkl', 'abcdefabcdef', 'abcdef-cdefghijkl', 'bcdefghijkl']) {
          const text = `${'x'.repeat(before)}${values}${'y'.repeat(40_000)}`;
          const reply = await twice.redactReply({ status: 200, headers: {}, body: Buffer.from(text) });
          assert.equal(reply.body.toString(), twice.redact(text), `${before} ${values}`);
        }
    });

    it('returns every other reply unchanged, byte for byte (property)', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          const reply = { status: 200, headers: {}, body: Buffer.from(bytes) };
          assert.equal(await redactReply(reply), reply);
        }),
      );
    });

    it('changes no JSON value when it decodes escapes beside a secret (property)', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json(), fc.string(), async (json, text) => {
          const value: unknown = JSON.parse(json);
          const written = JSON.stringify({ secret: 'S', value, text });
          const body = written.replace('"S"', `"\\u0022\\u005c${escaped.slice(1)}`);
          const expected: unknown = JSON.parse(written.replace('"S"', JSON.stringify('"\\[redacted]')));
          assert.deepEqual(JSON.parse(await redact(body)), expected);
        }),
      );
    });
  });
});
