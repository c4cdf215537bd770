import assert from 'node:assert/strict';
import { chunkedFrame } from '../../../plugins/netconf/framing.js';
import { until } from '../../support/until.js';
import type { TestAdapter } from './adapter.js';
import { dataWith, DEVICE, doublesOfTest, outcomeOf, replyTo } from './double-adapter.js';

const DATA = dataWith('<offset>1</offset>');
const NOTIFICATION =
  '<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime></notification>';

describe('the plugin netconf with a server that floods or lies', () => {
  const { start } = doublesOfTest();
  const read = (device: TestAdapter) => outcomeOf(device.call(`GET ${DEVICE}/offset`));

  it('answers 1,000 calls at once within the bounds of sessions and waiting calls', async () => {
    let most = 0;
    const held: (() => void)[] = [];
    const { double, device } = await start(
      {
        onOperation(_operation, session, messageId) {
          most = Math.max(most, double.sessions());
          held.push(() => {
            session.reply(messageId, DATA);
          });
          // The server answers when all of its sessions wait for it.
          if (held.length >= 4) for (const answer of held.splice(0)) answer();
          return undefined;
        },
      },
      { sessions: 4, maxWaiting: 96 },
    );
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => read(device)));
    const count = (outcome: string): number => outcomes.filter((one) => one.startsWith(outcome)).length;
    assert.deepEqual([count('200'), count('upstream_busy')], [100, 900]);
    assert.ok(most <= 4, `${most} sessions`);
  });

  const LIES: Readonly<Record<string, readonly [sent: (id: string) => string | Buffer, expected: RegExp]>> = {
    'with bytes that are no chunk': [() => 'garbage', /^upstream_bad_reply: .*no chunk/],
    'with a broken character': [() => '\n#1\n\xff\n##\n', /^upstream_bad_reply/],
    'with 100,000 levels of elements': [
      (id) => chunkedFrame(`${replyTo(id)}${'<a>'.repeat(100_000)}`),
      /^upstream_bad_reply: .*nested deeper/,
    ],
    'that defines entities': [
      (id) => chunkedFrame(`<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;">]>${replyTo(id)}&b;</rpc-reply>`),
      /^upstream_bad_reply/,
    ],
    'that never ends': [() => `\n#4294967295\n${'<a/>'.repeat(110_000)}`, /^upstream_too_large/],
    'without a schema for its content': [
      (id) => chunkedFrame(`${replyTo(id)}${dataWith('<x xmlns="urn:other"/>')}</rpc-reply>`),
      /^upstream_bad_reply: the reply of the server cannot be written as JSON: .*urn:other/,
    ],
  };
  for (const [name, [sent, expected]] of Object.entries(LIES))
    it(`refuses a reply ${name}, and serves the next call with another session`, async () => {
      let isFirst = true;
      const { device } = await start(
        {
          onOperation(_operation, session, messageId) {
            if (!isFirst) return DATA;
            isFirst = false;
            session.write(sent(messageId));
            return undefined;
          },
        },
        { maxReplyBytes: 400_000, unknownNodes: 'refuse' },
      );
      assert.match(await outcomeOf(device.call(`GET ${DEVICE}`)), expected);
      assert.equal(await read(device), '200');
    });

  it('takes no reply for another call: those with a message-id that nobody asked for are dropped', async () => {
    const { device } = await start({
      onOperation(_operation, session, messageId) {
        for (const id of ['0', '999999', `${messageId}9`]) session.send(`${replyTo(id)}<data/></rpc-reply>`);
        return DATA;
      },
    });
    assert.equal(await read(device), '200');
  });

  it('takes a reply without a message-id for the only call of its session', async () => {
    const { device } = await start({
      onOperation(_operation, session) {
        session.send(`${replyTo('').replace(/ message-id=""/, '')}${DATA}</rpc-reply>`);
        return undefined;
      },
    });
    assert.equal(await read(device), '200');
  });

  it('passes over notifications before and after a reply, and between its chunks it refuses them', async () => {
    const { device } = await start({
      onOperation(_operation, session, messageId) {
        session.send(NOTIFICATION);
        session.reply(messageId, DATA);
        session.send(NOTIFICATION);
        return undefined;
      },
    });
    for (let calls = 0; calls < 3; calls += 1) assert.equal(await read(device), '200');
    const { device: mixed } = await start({
      onOperation(_operation, session, messageId) {
        session.write(`\n#10\n<rpc-reply\n#${NOTIFICATION.length}\n${NOTIFICATION}\n##\n`);
        session.reply(messageId, DATA);
        return undefined;
      },
    });
    assert.match(await read(mixed), /^upstream_bad_reply/);
  });

  it('sends a change once to a server that closes in the middle of the commit', async () => {
    const { double, device } = await start({
      onOperation({ name }, session) {
        if (name !== 'commit') return name.startsWith('get') ? DATA : '<ok/>';
        session.write('\n#40\n<rpc-reply ');
        session.drop();
        return undefined;
      },
    });
    const changing = device.call(`PUT ${DEVICE}/offset`, { 'test-device:offset': 2 });
    await assert.rejects(changing, /whether the change is made is unknown/);
    assert.equal(double.names().filter((name) => name === 'edit-config').length, 1);
    await until(() => double.sessions() === 0);
  });
});
