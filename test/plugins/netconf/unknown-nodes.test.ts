import assert from 'node:assert/strict';
import { type Adapter, headerOf, UNKNOWN_NODES_HEADER } from '../../../src/core/adapter.js';
import type { Problem } from '../../../src/core/problem.js';
import { column } from '../../support/columns.js';
import { problem } from '../../support/failing.js';
import type { NetconfDoubleOptions } from '../../support/netconf-double.js';
import type { TestAdapter } from './adapter.js';
import {
  CAPABILITIES,
  dataWith,
  DEVICE,
  doublesOfSuite,
  notification,
  outcomeOf,
  SCHEMAS,
  warning,
} from './double-adapter.js';

const MODULE = `module test-device {
  yang-version 1.1; namespace "urn:test:device"; prefix d; revision 2026-01-01;
  container device { leaf hostname { type string; } list port { key "name"; leaf name { type string; } } }
  notification alarm { leaf severity { type uint8; } }
  rpc test { output { leaf result { type uint8; } } }
  rpc silent;
}`;
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

const CALLS = {
  read: { line: `GET ${DEVICE}`, around: 'test-device:device', known: { hostname: 'r1' } },
  output: { line: `POST ${OPERATION}:test`, around: 'test-device:output', known: { result: 3 } },
} as const;

describe('nodes that the modules of a NETCONF server do not have', () => {
  let answer: NetconfDoubleOptions['onOperation'];
  const { openDouble, openAdapter } = doublesOfSuite();
  const devices = new Map<string, TestAdapter>();
  before(async () => {
    const double = await openDouble({
      capabilities: [...CAPABILITIES, 'urn:ietf:params:netconf:capability:notification:1.0'],
      schemas: { ...SCHEMAS, 'test-device': MODULE },
      onOperation: (operation, session, id) =>
        answer?.(operation, session, id) ?? (operation.name.startsWith('get') ? '<data/>' : '<ok/>'),
    });
    for (const unknownNodes of ['omit', 'anydata', 'refuse'])
      devices.set(unknownNodes, await openAdapter(double, { unknownNodes }));
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
        if (name === 'get') return dataWith(`<hostname>r1</hostname>${xml}`);
        const own = xml.replaceAll(/<(x[123])>/g, '<$1 xmlns="urn:test:device">');
        if (name === 'test') return `<result xmlns="urn:test:device">3</result>${own}`;
        if (name === 'create-subscription')
          session.send(notification(`<alarm xmlns="urn:test:device"><severity>3</severity>${xml}</alarm>`));
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
          assert.deepEqual(column(column(logged, 'fields'), 'paths'), [path]);
        });

        it(`is text in the ${place} with unknownNodes: anydata`, async () => {
          const reply = await deviceWith('anydata', answers).call(line);
          assert.deepEqual(JSON.parse(reply.body.toString()), { [around]: { ...known, [member]: json } });
          assert.equal(headerOf(reply.headers, UNKNOWN_NODES_HEADER), header);
        });

        it(`refuses the ${place} with unknownNodes: refuse, and says what to do`, async () => {
          await assert.rejects(deviceWith('refuse', answers).call(line), (error) => {
            problem('upstream_bad_reply', /for which the adapter has no schema/)(error);
            const { advice = '' } = (error as Problem).extras;
            assert.match(advice, /narrower path.*schemaFolder.*unknownNodes/);
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
          assert.equal(column(device.lines, 'level').includes('warn'), unknownNodes !== 'refuse');
        });
    });

  it('are not reported where the caller asked for others', async () => {
    const device = deviceWith('omit', ({ name }) =>
      name === 'get' ? dataWith('<hostname>r1</hostname><extra>1</extra>') : undefined,
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
    const nodes = Array.from({ length: 30 }, (_, at) => `<ü${at} xmlns="urn:a&#10;&quot;b">1</ü${at}>`);
    const device = deviceWith('omit', ({ name }) => (name === 'get' ? dataWith(nodes.join('')) : undefined));
    const { headers } = await device.call(`GET ${DEVICE}`);
    const header = String(headerOf(headers, UNKNOWN_NODES_HEADER));
    assert.match(header, /^"\/test-device:device\/{urn:a%0A%22b}%C3%BC0", /);
    assert.equal(header.split(', ').length, 16);
    assert.match(header, /^[ -~]*$/);
  });

  it('do not hide the warnings of a read, which the log has', async () => {
    const device = deviceWith('omit', ({ name }) =>
      name === 'get' ? `${dataWith('<hostname>r1</hostname>')}${warning('slow disk')}` : undefined,
    );
    assert.equal(await device.outcome(`GET ${DEVICE}`), '200');
    const warnings = device.lines.flatMap(({ fields }) => fields['warnings'] ?? []);
    assert.deepEqual(warnings, ['slow disk']);
  });
});

/** Returns the text of the first event of a stream. */
async function firstEvent(adapter: Adapter): Promise<string> {
  const leaving = new AbortController();
  const request = { method: 'GET', path: '/streams/NETCONF', headers: {} };
  const stream = await adapter.openStream?.(request, leaving.signal);
  let text = '';
  for await (const piece of stream?.body ?? []) {
    text += String(piece);
    if (text.includes('data: ')) break;
  }
  leaving.abort();
  return text;
}
