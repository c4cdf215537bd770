import assert from 'node:assert/strict';
import { helloWith } from '../../support/netconf-double.js';
import { CAPABILITIES, dataWith, DEVICE, doublesOfTest, outcomeOf, replyTo } from './double-adapter.js';

const OFFSET = '<offset>1</offset>';

describe('the plugin netconf with a server whose messages cost memory', () => {
  const { start } = doublesOfTest();

  const prefixes = (count: number): string =>
    Array.from({ length: count }, (_, at) => `xmlns:p${at}="urn:u"`).join(' ');

  const COSTLY: Readonly<Record<string, readonly [content: () => string, problem: RegExp]>> = {
    'whose elements extend 8,000 prefixes, each of which had a copy of them': [
      () => `<x ${prefixes(8000)}>${'<e xmlns:z="urn:u"/>'.repeat(8000)}</x>`,
      /^upstream_bad_reply: what the server sent has an element with more than 1000 namespaces in scope/,
    ],
    'of 1,000,000 attributes': [
      () => `<x ${Array.from({ length: 1_000_000 }, (_, at) => `a${at.toString(36)}=""`).join(' ')}/>`,
      /^upstream_too_large: what the server sent needs more than \d+ bytes of memory as a tree/,
    ],
  };
  for (const [name, [content, expected]] of Object.entries(COSTLY))
    it(`refuses a reply ${name}, and serves the next call and other adapters`, async () => {
      let isFirst = true;
      const { device: other } = await start({ onOperation: () => dataWith(OFFSET) });
      const { device } = await start({
        onOperation(_operation, session, messageId) {
          if (!isFirst) return dataWith(OFFSET);
          isFirst = false;
          session.send(`${replyTo(messageId)}${dataWith(content())}</rpc-reply>`);
          return undefined;
        },
      });
      const [problem, ...outcomes] = await Promise.all([
        outcomeOf(device.call(`GET ${DEVICE}`)),
        other.outcome(`GET ${DEVICE}/offset`),
        other.outcome(`GET ${DEVICE}/offset`),
      ]);
      assert.match(problem, expected);
      assert.deepEqual([...outcomes, await device.outcome(`GET ${DEVICE}/offset`)], ['200', '200', '200']);
    });

  it('reads 900 prefixes that 15,000 elements extend: a scope refers to the one around it', async () => {
    const ports = Array.from(
      { length: 15_000 },
      (_, at) => `<port xmlns:z="urn:u"><slot>${at}</slot><name>a</name></port>`,
    );
    const { device } = await start({
      onOperation: () =>
        `<data><device xmlns="urn:test:device" ${prefixes(900)}>${ports.join('')}</device></data>`,
    });
    const read = await device.get(DEVICE, '/test-device:device/port');
    assert.ok(Array.isArray(read));
    assert.equal(read.length, 15_000);
  });

  it('refuses a hello of more than 8,000 capabilities, of more than 50,000 parameters, and of more than 2 MiB', async () => {
    const many = Array.from({ length: 8001 }, (_, at) => `urn:c${at}`);
    const hellos = [
      [`${helloWith([...CAPABILITIES, ...many])}]]>]]>`, /more than 8000 capabilities/],
      [helloWith(['x'.repeat(2_100_000)]), /larger than 2097152 bytes/],
      // Read in the process, these took 0.1 s of the event loop.
      [
        `${helloWith([...CAPABILITIES, `urn:x?module=x&features=${'f,'.repeat(60_000)}`])}]]>]]>`,
        /more than 50000 parameters/,
      ],
    ] as const;
    for (const [hello, expected] of hellos) {
      const onConnect: NonNullable<Parameters<typeof start>[0]>['onConnect'] = (session) => {
        session.write(hello);
      };
      const problem = await outcomeOf(start({ onConnect }));
      assert.match(problem, /^upstream_too_large/);
      assert.match(problem, expected);
    }
  });

  it('refuses modules with a name that each element of a reply would repeat as JSON', async () => {
    const long = 'n'.repeat(1025);
    const text = `module long { namespace "urn:long"; prefix l; leaf ${long} { type string; } }`;
    const options = { capabilities: ['urn:ietf:params:netconf:base:1.1', 'urn:long?module=long'] };
    const starting = start({ ...options, schemas: { long: text } });
    assert.match(await outcomeOf(starting), /^adapter_unavailable: .*need more memory than a thread has/);
  });
});
