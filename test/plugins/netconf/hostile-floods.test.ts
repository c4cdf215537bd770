import assert from 'node:assert/strict';
import { chunkedFrame } from '../../../plugins/netconf/framing.js';
import type { NetconfDoubleOptions } from '../../support/netconf-double.js';
import type { TestAdapter } from './adapter.js';
import {
  dataWith,
  DEVICE,
  doublesOfSuite,
  doublesOfTest,
  notification,
  outcomeOf,
  replyTo,
} from './double-adapter.js';

const prefixes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `xmlns:p${at}="urn:u"`).join(' ');
const attributes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `a${at.toString(36)}=""`).join(' ');

const DATA = dataWith('<offset>1</offset>');

describe('the plugin netconf with a server that floods, lies, or costs memory', () => {
  const { start } = doublesOfTest();
  const ofSuite = doublesOfSuite();
  let other: TestAdapter;
  before(async () => {
    ({ device: other } = await ofSuite.start({ onOperation: () => DATA }));
  });
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

  const replied = (id: string, content: string): Buffer =>
    chunkedFrame(`${replyTo(id)}${dataWith(content)}</rpc-reply>`);
  type Lie = readonly [sent: (id: string) => string | Buffer, expected: RegExp, options?: object];
  const LIES: Readonly<Record<string, Lie>> = {
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
    'that never ends': [
      () => `\n#4294967295\n${'<a/>'.repeat(110_000)}`,
      /^upstream_too_large/,
      { maxReplyBytes: 400_000 },
    ],
    'without a schema for its content': [
      (id) => replied(id, '<x xmlns="urn:other"/>'),
      /^upstream_bad_reply: the reply of the server cannot be written as JSON: .*urn:other/,
    ],
    'whose elements extend 8,000 prefixes, each of which had a copy of them': [
      (id) => replied(id, `<x ${prefixes(8000)}>${'<e xmlns:z="urn:u"/>'.repeat(8000)}</x>`),
      /^upstream_bad_reply: what the server sent has an element with more than 1000 namespaces in scope/,
    ],
    'of 1,000,000 attributes': [
      (id) => replied(id, `<x ${attributes(1_000_000)}/>`),
      /^upstream_too_large: what the server sent needs more than \d+ bytes of memory as a tree/,
    ],
  };
  for (const [name, [sent, expected, options]] of Object.entries(LIES))
    it(`refuses a reply ${name}, and serves the next call with another session, and other adapters`, async () => {
      let isFirst = true;
      const onOperation: NetconfDoubleOptions['onOperation'] = (_operation, session, messageId) => {
        if (!isFirst) return DATA;
        isFirst = false;
        session.write(sent(messageId));
        return undefined;
      };
      const { device } = await start({ onOperation }, { unknownNodes: 'refuse', ...options });
      const [refused, ...outcomes] = await Promise.all([
        outcomeOf(device.call(`GET ${DEVICE}`)),
        read(other),
        read(other),
      ]);
      assert.match(refused, expected);
      assert.deepEqual([...outcomes, await read(device)], ['200', '200', '200']);
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
        session.send(notification());
        session.reply(messageId, DATA);
        session.send(notification());
        return undefined;
      },
    });
    const event = notification();
    for (let calls = 0; calls < 3; calls += 1) assert.equal(await read(device), '200');
    const { device: mixed } = await start({
      onOperation(_operation, session, messageId) {
        session.write(`\n#10\n<rpc-reply\n#${event.length}\n${event}\n##\n`);
        session.reply(messageId, DATA);
        return undefined;
      },
    });
    assert.match(await read(mixed), /^upstream_bad_reply/);
  });

  it('reads 900 prefixes that 15,000 elements extend: a scope refers to the one around it', async () => {
    const port = (at: number): string => `<port xmlns:z="urn:u"><slot>${at}</slot><name>a</name></port>`;
    const ports = Array.from({ length: 15_000 }, (_, at) => port(at)).join('');
    const content = `<device xmlns="urn:test:device" ${prefixes(900)}>${ports}</device>`;
    const { device } = await start({ onOperation: () => `<data>${content}</data>` });
    const read = await device.get(DEVICE, '/test-device:device/port');
    assert.ok(Array.isArray(read));
    assert.equal(read.length, 15_000);
  });

  it('refuses modules with a name that each element of a reply would repeat as JSON', async () => {
    const long = 'n'.repeat(1025);
    const text = `module long { namespace "urn:long"; prefix l; leaf ${long} { type string; } }`;
    const options = { capabilities: ['urn:ietf:params:netconf:base:1.1', 'urn:long?module=long'] };
    const starting = start({ ...options, schemas: { long: text } });
    assert.match(await outcomeOf(starting), /^adapter_unavailable: .*need more memory than a thread has/);
  });
});
