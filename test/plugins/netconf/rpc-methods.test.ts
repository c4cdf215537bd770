import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { problem } from '../../support/failing.js';
import { createNetconfDouble, type NetconfDouble } from '../../support/netconf-double.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { optionsForDouble } from './double-adapter.js';
import { elementText } from './element-text.js';

const MODULE = `module m { yang-version 1.1; namespace "urn:m"; prefix m;
  grouping tree { list node { key id; leaf id { type uint64; } container sub { leaf a { type string; } } } }
  feature big;
  rpc reboot { description "Restart the line
      card. It takes a minute.";
    input { leaf slot { type uint8 { range "1..16"; } mandatory true; } leaf why { type string; } uses tree; }
    output { leaf took { type uint32; } } }
  rpc ping;
  rpc hidden { if-feature big; } }`;
const NETCONF = `module ietf-netconf { namespace "urn:ietf:params:xml:ns:netconf:base:1.0"; prefix nc; rpc close-session; }`;

describe('the rpcs of a server as methods', () => {
  let double: NetconfDouble;
  let device: TestAdapter;
  let fails = false;
  before(async () => {
    double = await createNetconfDouble({
      capabilities: [
        'urn:ietf:params:netconf:base:1.1',
        'urn:m?module=m',
        'urn:ietf:params:xml:ns:netconf:base:1.0?module=ietf-netconf',
      ],
      schemas: { m: MODULE, 'ietf-netconf': NETCONF },
      onOperation: ({ name }) => {
        if (fails)
          return '<rpc-error><error-type>application</error-type><error-tag>in-use</error-tag><error-severity>error</error-severity><error-message>busy</error-message></rpc-error>';
        return name === 'reboot' ? '<took xmlns="urn:m">7</took>' : '<ok/>';
      },
    });
    device = await startAdapter(optionsForDouble(double));
  });
  afterEach(() => {
    fails = false;
  });
  after(async () => {
    await device.stop();
    await double.close();
  });
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
    assert.deepEqual(
      validate({ slot: 17, more: 1 }).violations.map(({ pointer }) => pointer),
      ['/more', '/slot'],
    );
    assert.equal(validate({}).violations.length, 1);
    assert.equal(await methods(), await methods());
  });

  it('are invoked once by the path of RESTCONF, and return their output or null', async () => {
    const result = (await call('m:reboot', { slot: 3, why: 'test' })) as { readonly rawJson: Buffer };
    assert.deepEqual(JSON.parse(result.rawJson.toString()), { 'm:output': { took: 7 } });
    const sent = double.operations.filter(({ name }) => name === 'reboot');
    assert.deepEqual(sent.map(elementText), ['<reboot><slot>3</slot><why>test</why></reboot>']);
    assert.equal(await call('m:ping'), null);
  });

  it('report the error of the server, with its words', async () => {
    fails = true;
    await assert.rejects(async () => call('m:ping'), problem('upstream_rejected', /busy/));
  });
});
