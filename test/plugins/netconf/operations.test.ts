import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { column } from '../../support/columns.js';
import { problem } from '../../support/failing.js';
import { errorReply, type NetconfDouble } from '../../support/netconf-double.js';
import type { TestAdapter } from './adapter.js';
import { doublesOfSuite, elementText, warning } from './double-adapter.js';

const MODULE = `module m { yang-version 1.1; namespace "urn:m"; prefix m;
  grouping tree { list node { key id; leaf id { type uint64; } container sub { leaf a { type string; } } } }
  feature big;
  container top { list port { key "name"; leaf name { type string; }
    action reset { input { leaf hard { type boolean; } } output { leaf took { type uint16; } } } } }
  rpc reboot { description "Restart the line
      card. It takes a minute.";
    input { leaf slot { type uint8 { range "1..16"; } mandatory true; } leaf why { type string; } uses tree; }
    output { leaf took { type uint32; } } }
  rpc ping;
  rpc hidden { if-feature big; } }`;
const NETCONF = `module ietf-netconf { namespace "urn:ietf:params:xml:ns:netconf:base:1.0"; prefix nc; rpc close-session; }`;
const DATA =
  '<data xmlns="urn:ietf:params:xml:ns:yang:ietf-netconf-nmda"><top xmlns="urn:m"><port><name>a</name></port></top></data>';

describe('the operations of a server of YANG 1.1 and NMDA', () => {
  let double: NetconfDouble;
  let device: TestAdapter;
  let fails = false;
  const { start } = doublesOfSuite();
  before(async () => {
    ({ double, device } = await start({
      capabilities: [
        'urn:ietf:params:netconf:base:1.1',
        'urn:m?module=m',
        'urn:ietf:params:xml:ns:netconf:base:1.0?module=ietf-netconf',
      ],
      schemas: { m: MODULE, 'ietf-netconf': NETCONF },
      onOperation: ({ name }) => {
        if (fails) return errorReply('in-use', 'busy');
        if (name.startsWith('get')) return DATA;
        if (name === 'ping') return '<ok/>';
        return `${name === 'action' ? warning('w') : ''}<took xmlns="urn:m">7</took>`;
      },
    }));
  });
  afterEach(() => {
    fails = false;
  });
  const sent = (name: string): readonly string[] =>
    double.operations.filter((operation) => operation.name === name).map(elementText);

  it('include actions, which return their output beside the warnings of the server', async () => {
    const reply = await device.call('POST /restconf/data/m:top/port=a/reset', { 'm:input': { hard: true } });
    assert.equal(reply.status, 200);
    const expected = { warnings: ['w'], 'm:output': { took: 7 } };
    assert.deepEqual(JSON.parse(reply.body.toString()), expected);
    assert.deepEqual(sent('action'), [
      '<action><top><port><name>a</name><reset><hard>true</hard></reset></port></top></action>',
    ]);
    const action = double.operations.find(({ name }) => name === 'action');
    assert.equal(action?.namespace, 'urn:ietf:params:xml:ns:yang:1');
  });

  it('include the read of a datastore', async () => {
    const path = '/restconf/ds/ietf-datastores:operational/m:top?content=nonconfig';
    assert.equal(await device.outcome(`GET ${path}`), '200');
    assert.deepEqual(sent('get-data'), [
      '<get-data><datastore>ds:operational</datastore><subtree-filter><top></top></subtree-filter><config-filter>false</config-filter></get-data>',
    ]);
  });

  describe('as methods', () => {
    const methods = async () => (await device.adapter.methods?.()) ?? [];
    const call = (method: string, args: Readonly<Record<string, unknown>> = {}) =>
      device.adapter.callMethod?.({ method, args }, AbortSignal.timeout(30_000));

    it('have the schemas of their parameters and the module as tag, without those of the session and of absent features', async () => {
      const [reboot, ping, ...others] = await methods();
      assert.deepEqual([reboot?.name, ping?.name, others.length], ['m:reboot', 'm:ping', 0]);
      assert.equal(reboot?.summary, 'Restart the line card.');
      assert.deepEqual([reboot.tags, reboot.effect], [['m'], undefined]);
      const validate = compileSchema(reboot.input);
      assert.deepEqual(validate({ slot: 3, why: 'test', node: [{ id: '1' }] }).violations, []);
      assert.deepEqual(column(validate({ slot: 17, more: 1 }).violations, 'pointer'), ['/more', '/slot']);
      assert.equal(validate({}).violations.length, 1);
      assert.equal(await methods(), await methods());
    });

    it('are invoked once by the path of RESTCONF, and return their output or null', async () => {
      const result = (await call('m:reboot', { slot: 3, why: 'test' })) as { readonly rawJson: Buffer };
      assert.deepEqual(JSON.parse(result.rawJson.toString()), { 'm:output': { took: 7 } });
      assert.deepEqual(sent('reboot'), ['<reboot><slot>3</slot><why>test</why></reboot>']);
      assert.equal(await call('m:ping'), null);
    });

    it('report the error of the server, with its words', async () => {
      fails = true;
      await assert.rejects(async () => call('m:ping'), problem('upstream_rejected', /busy/));
    });
  });
});
