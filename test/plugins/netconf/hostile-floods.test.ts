import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../src/core/problem.js';
import { InvalidXml, parseXml } from '../../../src/yang/encoding/parse-xml.js';
import {
  createNetconfDouble,
  type NetconfDouble,
  type NetconfDoubleOptions,
} from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { DEVICE_MODULE } from './device-module.js';
import { CAPABILITIES, INET, optionsForDouble } from './double-adapter.js';

const DEVICE = '/restconf/data/test-device:device';
const REPLY = 'xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"';
const DATA = '<data><device xmlns="urn:test:device"><offset>1</offset></device></data>';
const NOTIFICATION =
  '<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime></notification>';

function chunked(text: string): string {
  return `\n#${Buffer.byteLength(text)}\n${text}\n##\n`;
}

describe('the plugin netconf with a server that floods or lies', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function start(
    onOperation: NonNullable<NetconfDoubleOptions['onOperation']>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly double: NetconfDouble; readonly device: TestAdapter }> {
    const schemas = { 'test-device': DEVICE_MODULE, 'ietf-inet-types': INET };
    const double = await createNetconfDouble({ capabilities: CAPABILITIES, schemas, onOperation });
    closing.push(() => double.close());
    const device = await startAdapter(optionsForDouble(double, more));
    closing.push(() => device.stop());
    return { double, device };
  }

  async function outcomeOf(work: Promise<{ readonly status: number }>): Promise<string> {
    try {
      return String((await work).status);
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.code;
    }
  }

  const read = (device: TestAdapter) => outcomeOf(device.call(`GET ${DEVICE}/offset`));

  it('answers 1,000 calls at once within the bounds of sessions and waiting calls', async () => {
    let most = 0;
    const held: (() => void)[] = [];
    const { double, device } = await start(
      (_operation, session, messageId) => {
        most = Math.max(most, double.sessions());
        held.push(() => {
          session.reply(messageId, DATA);
        });
        // The server answers when all of its sessions wait for it.
        if (held.length >= 4) for (const answer of held.splice(0)) answer();
        return undefined;
      },
      { sessions: 4, maxWaiting: 96 },
    );
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => read(device)));
    const count = (outcome: string): number => outcomes.filter((one) => one === outcome).length;
    assert.deepEqual([count('200'), count('upstream_busy')], [100, 900]);
    assert.ok(most <= 4, `${most} sessions`);
  });

  const LIES: Readonly<Record<string, readonly [sent: (messageId: string) => string, expected: RegExp]>> = {
    'with 100,000 levels of elements': [
      (id) => chunked(`<rpc-reply ${REPLY} message-id="${id}">${'<a>'.repeat(100_000)}`),
      /^upstream_bad_reply$/,
    ],
    'that defines entities': [
      (id) =>
        chunked(
          `<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]><rpc-reply ${REPLY} message-id="${id}">&b;</rpc-reply>`,
        ),
      /^upstream_bad_reply$/,
    ],
    'that uses an entity without a definition': [
      (id) => chunked(`<rpc-reply ${REPLY} message-id="${id}">&b;</rpc-reply>`),
      /^upstream_bad_reply$/,
    ],
    'that never ends': [() => `\n#4294967295\n${'<a/>'.repeat(110_000)}`, /^upstream_too_large$/],
    'in endless small chunks': [() => '\n#10\nxxxxxxxxxx'.repeat(41_000), /^upstream_too_large$/],
    'in a chunk that is longer than its size': [
      (id) => `\n#10\n<rpc-reply ${REPLY} message-id="${id}"><ok/></rpc-reply>\n##\n`,
      /^upstream_bad_reply$/,
    ],
    'in a chunk of size 0': [() => '\n#0\n\n##\n', /^upstream_bad_reply$/],
    'in a chunk beyond the largest size': [() => '\n#4294967296\nx', /^upstream_bad_reply$/],
    'in a chunk with a size that has no end': [() => `\n#${'1'.repeat(1000)}`, /^upstream_bad_reply$/],
  };
  for (const [name, [sent, expected]] of Object.entries(LIES))
    it(`refuses a reply ${name}, and serves the next call with another session`, async () => {
      let isFirst = true;
      const { device } = await start(
        (_operation, session, messageId) => {
          if (!isFirst) return DATA;
          isFirst = false;
          session.write(sent(messageId));
          return undefined;
        },
        { maxReplyBytes: 400_000 },
      );
      assert.match(await read(device), expected);
      assert.equal(await read(device), '200');
    });

  it('takes no reply for another call: those with a message-id that nobody asked for are dropped', async () => {
    const { device } = await start((_operation, session, messageId) => {
      for (const id of ['0', '999999', `${messageId}9`])
        session.write(chunked(`<rpc-reply ${REPLY} message-id="${id}"><data/></rpc-reply>`));
      return DATA;
    });
    assert.equal(await read(device), '200');
  });

  it('takes a reply without a message-id for the only call of its session', async () => {
    const { device } = await start((_operation, session) => {
      session.write(chunked(`<rpc-reply ${REPLY}>${DATA}</rpc-reply>`));
      return undefined;
    });
    assert.equal(await read(device), '200');
  });

  it('passes over notifications before and after a reply, and between its chunks it refuses them', async () => {
    const { device } = await start((_operation, session, messageId) => {
      session.write(chunked(NOTIFICATION));
      session.reply(messageId, DATA);
      session.write(chunked(NOTIFICATION));
      return undefined;
    });
    for (let calls = 0; calls < 3; calls += 1) assert.equal(await read(device), '200');
    const { device: mixed } = await start((_operation, session, messageId) => {
      session.write(`\n#10\n<rpc-reply\n#${NOTIFICATION.length}\n${NOTIFICATION}\n##\n`);
      session.reply(messageId, DATA);
      return undefined;
    });
    assert.equal(await read(mixed), 'upstream_bad_reply');
  });

  it('sends a change once to a server that closes in the middle of the commit', async () => {
    const { double, device } = await start(({ name }, session) => {
      if (name !== 'commit') return name.startsWith('get') ? DATA : '<ok/>';
      session.write('\n#40\n<rpc-reply ');
      session.drop();
      return undefined;
    });
    const changing = device.call(`PUT ${DEVICE}/offset`, { 'test-device:offset': 2 });
    await assert.rejects(changing, /whether the change is made is unknown/);
    assert.equal(double.names().filter((name) => name === 'edit-config').length, 1);
    await until(() => double.sessions() === 0);
  });
});

describe('the XML reader, with any text', () => {
  const LIMITS = { bytes: 10_000, depth: 16, memory: 50_000 };

  function outcome(text: string | Uint8Array): string {
    try {
      parseXml(typeof text === 'string' ? Buffer.from(text) : text, LIMITS);
      return 'read';
    } catch (error) {
      assert.ok(error instanceof InvalidXml, String(error));
      return 'refused';
    }
  }

  const PIECES = [
    '<a>',
    '</a>',
    '<b x="1">',
    '</b>',
    '<a/>',
    'text',
    '&amp;',
    '&#0;',
    '&x;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?p ',
    '?>',
    '<!DOCTYPE a [',
    '<!ENTITY b "c">',
    ' xmlns:p="urn:p"',
    '<p:a>',
    '"',
    "'",
    '\u0000',
    '\ud800',
    '=',
    '<a xmlns="',
    'é',
    ']]>]]>',
  ];

  it('reads it or refuses it with InvalidXml, within its limits', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (parts) => {
        outcome(parts.join(''));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        outcome(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('reads every well-formed tree within the limits, and gives it back', () => {
    const name = fc.constantFrom('a', 'b', 'c-d', '_e');
    const text = fc
      .string({ maxLength: 20 })
      .filter((one) => !/[\u0000-\u001f\ufffe\uffff]|\p{Cs}/u.test(one));
    const escape = (one: string): string =>
      one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text), { maxLength: 20 }), (leaves) => {
        const xml = `<r>${leaves.map(([tag, content]) => `<${tag}>${escape(content)}</${tag}>`).join('')}</r>`;
        const root = parseXml(Buffer.from(xml), LIMITS);
        assert.deepEqual(
          root.children.map((child) => [child.name, child.text]),
          leaves.map(([tag, content]) => [tag, content]),
        );
      }),
    );
  });
});
