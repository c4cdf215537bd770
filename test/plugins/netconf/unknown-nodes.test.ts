import assert from 'node:assert/strict';
import { headerOf, UNKNOWN_NODES_HEADER } from '../../../src/core/adapter.js';
import { createNetconfDouble, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { openedBySuite } from '../../support/opened.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { CAPABILITIES, optionsForDouble, outcomeOf, SCHEMAS } from './double-adapter.js';

const MODULE = `module test-device {
  yang-version 1.1; namespace "urn:test:device"; prefix d; revision 2026-01-01;
  container device { leaf hostname { type string; } list port { key "name"; leaf name { type string; } } }
  notification alarm { leaf severity { type uint8; } }
  rpc test { output { leaf result { type uint8; } } }
  rpc silent;
}`;
const DEVICE = '/restconf/data/test-device:device';
const OPERATION = '/restconf/operations/test-device';

/** Content that no schema has, its member, and its JSON without types. */
const UNKNOWN: Readonly<Record<string, readonly [xml: string, member: string, json: unknown]>> = {
  'a leaf of a known module': ['<x1>1</x1>', 'x1', '1'],
  'a container of a known module': ['<x2><a>1</a></x2>', 'x2', { a: '1' }],
  'a list of a known module': ['<x3><a>1</a></x3><x3><a>2</a></x3>', 'x3', [{ a: '1' }, { a: '2' }]],
  'a leaf of an unknown module': ['<x4 xmlns="urn:vendor">1</x4>', '{urn:vendor}x4', '1'],
  'a container of an unknown module': ['<x5 xmlns="urn:vendor"><a>1</a></x5>', '{urn:vendor}x5', { a: '1' }],
  'a list of an unknown module': [
    '<x6 xmlns="urn:vendor"><a>1</a></x6><x6 xmlns="urn:vendor"/>',
    '{urn:vendor}x6',
    [{ a: '1' }, ''],
  ],
};

const dataOf = (content: string): string =>
  `<data><device xmlns="urn:test:device">${content}</device></data>`;
const CALLS = {
  read: { line: `GET ${DEVICE}`, around: 'test-device:device', known: { hostname: 'r1' } },
  output: { line: `POST ${OPERATION}:test`, around: 'test-device:output', known: { result: 3 } },
} as const;

describe('nodes that the modules of a NETCONF server do not have', () => {
  let answer: NetconfDoubleOptions['onOperation'];
  const opened = openedBySuite();
  const devices = new Map<string, TestAdapter>();
  before(async () => {
    const double = await opened(
      createNetconfDouble({
        capabilities: [...CAPABILITIES, 'urn:ietf:params:netconf:capability:notification:1.0'],
        schemas: { ...SCHEMAS, 'test-device': MODULE },
        onOperation: (operation, session, id) =>
          answer?.(operation, session, id) ?? (operation.name.startsWith('get') ? '<data/>' : '<ok/>'),
      }),
    );
    for (const unknownNodes of ['omit', 'anydata', 'refuse']) {
      const device = await startAdapter(optionsForDouble(double, { unknownNodes }));
      await opened({ close: () => device.stop() });
      devices.set(unknownNodes, device);
    }
  });

  function deviceWith(unknownNodes: string, answers: NetconfDoubleOptions['onOperation']): TestAdapter {
    const device = devices.get(unknownNodes);
    assert(device);
    device.lines.splice(0);
    answer = answers;
    return device;
  }

  for (const [kind, [xml, member, json]] of Object.entries(UNKNOWN))
    describe(kind, () => {
      const answers: NetconfDoubleOptions['onOperation'] = ({ name }, session) => {
        if (name === 'get') return dataOf(`<hostname>r1</hostname>${xml}`);
        const own = xml.replaceAll(/<(x[123])>/g, '<$1 xmlns="urn:test:device">');
        if (name === 'test') return `<result xmlns="urn:test:device">3</result>${own}`;
        if (name === 'create-subscription')
          session.send(
            `<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime><alarm xmlns="urn:test:device"><severity>3</severity>${xml}</alarm></notification>`,
          );
        return undefined;
      };

      for (const [place, { line, around, known }] of Object.entries(CALLS)) {
        const path = `/${around}/${member}`;
        const header = `"${path}"`;

        it(`is left out of the ${place}, and named in a header and once in the log`, async () => {
          const device = deviceWith('omit', answers);
          for (const reply of [await device.call(line), await device.call(line)]) {
            assert.deepEqual(JSON.parse(reply.body.toString()), { [around]: known });
            assert.equal(headerOf(reply.headers, UNKNOWN_NODES_HEADER), header);
          }
          const logged = device.lines.filter(({ level }) => level === 'warn');
          assert.deepEqual(
            logged.map(({ fields }) => fields['paths']),
            [path],
          );
        });

        it(`is text in the ${place} with unknownNodes: anydata`, async () => {
          const reply = await deviceWith('anydata', answers).call(line);
          assert.deepEqual(JSON.parse(reply.body.toString()), { [around]: { ...known, [member]: json } });
          assert.equal(headerOf(reply.headers, UNKNOWN_NODES_HEADER), header);
        });

        it(`refuses the ${place} with unknownNodes: refuse, and says what to do`, async () => {
          const calling = deviceWith('refuse', answers).call(line);
          assert.match(
            await outcomeOf(calling),
            /^upstream_bad_reply: .*for which the adapter has no schema/,
          );
          await assert.rejects(calling, (error: { extras?: { advice?: string } }) => {
            assert.match(error.extras?.advice ?? '', /narrower path.*schemaFolder.*unknownNodes/);
            return true;
          });
        });
      }

      const EVENTS: Readonly<Record<string, string>> = {
        omit: '"test-device:alarm":{"severity":3}',
        anydata: JSON.stringify({ severity: 3, [member]: json }),
        refuse: 'for which the adapter has no schema',
      };
      for (const [unknownNodes, expected] of Object.entries(EVENTS))
        it(`is in the events of a stream as unknownNodes: ${unknownNodes} says`, async () => {
          const device = deviceWith(unknownNodes, answers);
          const text = await firstEvent(device.adapter);
          assert.ok(text.includes(expected), text);
          assert.equal(
            device.lines.some(({ level }) => level === 'warn'),
            unknownNodes !== 'refuse',
          );
        });
    });

  it('are not reported where the caller asked for others', async () => {
    const device = deviceWith('omit', ({ name }) =>
      name === 'get' ? dataOf('<hostname>r1</hostname><extra>1</extra>') : undefined,
    );
    for (const query of ['fields=hostname', 'depth=1']) {
      const { headers } = await device.call(`GET ${DEVICE}?${query}`);
      assert.equal(headerOf(headers, UNKNOWN_NODES_HEADER), undefined, query);
    }
  });

  it('confirm no operation: an output of nothing else is no success', async () => {
    for (const unknownNodes of ['omit', 'anydata']) {
      const device = deviceWith(unknownNodes, ({ name }) =>
        name === 'silent' ? '<error><message>failed</message></error>' : undefined,
      );
      assert.match(
        await outcomeOf(device.call(`POST ${OPERATION}:silent`)),
        /^upstream_bad_reply: the server did not confirm the silent, because its reply has no <ok\/> but <error>/,
      );
    }
  });

  it('have a header of ASCII with at most 16 paths', async () => {
    const xml = Array.from({ length: 30 }, (_, at) => `<ü${at} xmlns="urn:a&#10;&quot;b">1</ü${at}>`).join(
      '',
    );
    const device = deviceWith('omit', ({ name }) => (name === 'get' ? dataOf(xml) : undefined));
    const { headers } = await device.call(`GET ${DEVICE}`);
    const header = String(headerOf(headers, UNKNOWN_NODES_HEADER));
    assert.match(header, /^"\/test-device:device\/{urn:a%0A%22b}%C3%BC0", /);
    assert.equal(header.split(', ').length, 16);
    assert.match(header, /^[ -~]*$/);
  });

  it('do not hide the warnings of a read, which the log has', async () => {
    const warning =
      '<rpc-error><error-severity>warning</error-severity><error-message>slow disk</error-message></rpc-error>';
    const device = deviceWith('omit', ({ name }) =>
      name === 'get' ? `${dataOf('<hostname>r1</hostname>')}${warning}` : undefined,
    );
    assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
    assert.deepEqual(
      device.lines.flatMap(({ fields }) => fields['warnings'] ?? []),
      ['slow disk'],
    );
  });
});

/** Returns the text of the first event of a stream. */
async function firstEvent(adapter: {
  openStream?: (request: never, signal: AbortSignal) => Promise<{ body: AsyncIterable<string | Uint8Array> }>;
}): Promise<string> {
  const leaving = new AbortController();
  const request = { method: 'GET', path: '/streams/NETCONF', headers: {} } as never;
  const stream = await adapter.openStream?.(request, leaving.signal);
  let text = '';
  for await (const piece of stream?.body ?? []) {
    text += String(piece);
    if (text.includes('data: ')) break;
  }
  leaving.abort();
  return text;
}
