import assert from 'node:assert/strict';
import { createNetconfDouble, type NetconfDouble } from '../../support/netconf-double.js';
import { startAdapter, type TestAdapter } from './adapter.js';
import { optionsForDouble } from './double-adapter.js';
import { elementText } from './element-text.js';

const MODULE = `module m { yang-version 1.1; namespace "urn:m"; prefix m;
  container top { list port { key "name"; leaf name { type string; }
    action reset { input { leaf hard { type boolean; } } output { leaf took { type uint16; } } } } } }`;

describe('the plugin netconf with a server of YANG 1.1 and NMDA', () => {
  let double: NetconfDouble;
  let device: TestAdapter;
  before(async () => {
    double = await createNetconfDouble({
      capabilities: ['urn:ietf:params:netconf:base:1.1', 'urn:m?module=m'],
      schemas: { m: MODULE },
      onOperation: ({ name }) =>
        name === 'action'
          ? '<took xmlns="urn:m">7</took>'
          : '<data xmlns="urn:ietf:params:xml:ns:yang:ietf-netconf-nmda"><top xmlns="urn:m"><port><name>a</name></port></top></data>',
    });
    device = await startAdapter(optionsForDouble(double));
  });
  after(async () => {
    await device.stop();
    await double.close();
  });

  it('calls an action, and returns its output', async () => {
    const reply = await device.call('POST /restconf/data/m:top/port=a/reset', { 'm:input': { hard: true } });
    assert.equal(reply.status, 200);
    assert.deepEqual(JSON.parse(reply.body.toString()), { 'm:output': { took: 7 } });
    const sent = double.operations.find(({ name }) => name === 'action');
    assert.equal(sent?.namespace, 'urn:ietf:params:xml:ns:yang:1');
    assert.equal(
      elementText(sent),
      '<action><top><port><name>a</name><reset><hard>true</hard></reset></port></top></action>',
    );
  });

  it('reads a datastore', async () => {
    const path = '/restconf/ds/ietf-datastores:operational/m:top?content=nonconfig';
    assert.equal(await device.outcome(`GET ${path}`), '200');
    const sent = double.operations.find(({ name }) => name === 'get-data');
    assert.equal(
      sent && elementText(sent),
      '<get-data><datastore>ds:operational</datastore><subtree-filter><top></top></subtree-filter><config-filter>false</config-filter></get-data>',
    );
  });
});
