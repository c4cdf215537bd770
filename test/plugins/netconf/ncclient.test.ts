import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseXml } from '../../../src/yang/encoding/parse-xml.js';
import type { XmlElement } from '../../../src/yang/encoding/xml-element.js';
import { NCCLIENT, NETCONFD } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import type { NetconfServer } from '../../support/netconf-server.js';
import { openedBySuite } from '../../support/opened.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { optionsFor, startAdapter, startDevice, type TestAdapter } from './adapter.js';
import { DEVICE_DATA } from './device-module.js';
import { DEVICE } from './double-adapter.js';

const NAMESPACE = 'urn:test:device';
const BASE = 'urn:ietf:params:xml:ns:netconf:base:1.0';

/** {@link DEVICE_DATA} as XML. */
const XML_DATA = `<hostname>r1 &lt;core> &amp; "edge"</hostname><counter>18446744073709551615</counter><offset>-5</offset><ratio>1.5</ratio><enabled>false</enabled><marker/><media xmlns:test-device="${NAMESPACE}">test-device:fiber</media><address>2001:db8::1</address><mtu>1500</mtu><dns>192.0.2.53</dns><dns>192.0.2.1</dns><port><slot>1</slot><name>xe/0</name><speed>10000</speed><unit><id>0</id><vlan>100</vlan></unit></port><port><slot>2</slot><name>ge,0</name></port><service><level>low</level></service><tcp-port>22</tcp-port>`;

const FILTER = `<device xmlns="${NAMESPACE}"/>`;

function edit(content: string, operation = 'replace'): NcclientOperation {
  return [
    'edit-config',
    `<config xmlns="${BASE}" xmlns:nc="${BASE}"><device xmlns="${NAMESPACE}" nc:operation="${operation}">${content}</device></config>`,
  ];
}

/** Returns an element as its name, and its text or its elements in the order of their names. */
function plain({ name, namespace, text, children }: XmlElement): unknown {
  const content = children.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  // The server writes an identity with the prefix of its module, or without one.
  const value = name === 'media' ? text.replace(/^.*:/, '') : text;
  return [`{${namespace}}${name}`, children.length > 0 ? content : value.trim()];
}

function deviceIn(xml: string): unknown {
  const root = parseXml(Buffer.from(xml), { bytes: 1_000_000, depth: 50, memory: 10_000_000 });
  const device = root.name === 'device' ? root : root.children.find(({ name }) => name === 'device');
  return device ? plain(device) : 'none';
}

describeWith([NETCONFD, NCCLIENT], 'the plugin netconf and ncclient at the same server', () => {
  let server: NetconfServer;
  let device: TestAdapter;
  let key: string;
  const opened = openedBySuite();
  before(async () => {
    server = await opened(startDevice());
    key = join(temporaryFolder().path, 'user.key');
    writeFileSync(key, server.privateKey.reveal(), { mode: 0o600 });
    device = await startAdapter(optionsFor(server));
    await opened({ close: () => device.stop() });
  });
  beforeEach(async () => {
    await device.call(`DELETE ${DEVICE}`);
  });

  const ncclient = (...operations: readonly NcclientOperation[]) =>
    runNcclient({ port: server.port, username: server.username, key }, operations);

  it('reads as JSON what ncclient wrote as XML', async () => {
    assert.deepEqual(await ncclient(edit(XML_DATA)), ['ok']);
    assert.deepEqual(await device.get(DEVICE), { 'test-device:device': DEVICE_DATA });
  });

  it('writes from JSON the XML that ncclient wrote', async () => {
    const [, own] = await ncclient(edit(XML_DATA), ['get-config', FILTER]);
    assert.match(own ?? '', /18446744073709551615/);
    const expected = deviceIn(own ?? '');
    await device.call(`DELETE ${DEVICE}`);
    assert.equal(await device.outcome(`PUT ${DEVICE}`, { 'test-device:device': DEVICE_DATA }), '201');
    const [config, state] = await ncclient(['get-config', FILTER], ['get', FILTER]);
    assert.deepEqual(deviceIn(config ?? ''), expected);
    assert.deepEqual(deviceIn(state ?? ''), expected);
  });

  it('leaves the same configuration after the same changes', async () => {
    const changes: readonly (readonly [line: string, body: unknown, xml: NcclientOperation])[] = [
      [
        `PATCH ${DEVICE}/port=1,xe%2F0`,
        { 'test-device:port': [{ slot: 1, name: 'xe/0', speed: 1000 }] },
        edit('<port><slot>1</slot><name>xe/0</name><speed>1000</speed></port>', 'merge'),
      ],
      [`DELETE ${DEVICE}/service`, undefined, edit(`<service nc:operation="delete"/>`, 'merge')],
      [
        `POST ${DEVICE}`,
        { 'test-device:port': [{ slot: 2, name: 'a,b' }] },
        edit('<port nc:operation="create"><slot>2</slot><name>a,b</name></port>', 'merge'),
      ],
    ];
    const results: unknown[] = [];
    for (const way of ['gatehouse', 'ncclient'] as const) {
      await device.call(`PUT ${DEVICE}`, { 'test-device:device': DEVICE_DATA });
      if (way === 'ncclient')
        assert.deepEqual(await ncclient(...changes.map(([, , xml]) => xml)), ['ok', 'ok', 'ok']);
      else
        for (const [line, body] of changes) assert.match(await device.outcome(line, body), /^20[14]$/, line);
      const [config] = await ncclient(['get-config', FILTER]);
      results.push([deviceIn(config ?? ''), await device.get(DEVICE)]);
    }
    assert.deepEqual(results[0], results[1]);
  });

  it('reports the same error tags', async () => {
    await device.call(`PUT ${DEVICE}`, { 'test-device:device': DEVICE_DATA });
    const port = '<port nc:operation="create"><slot>1</slot><name>xe/0</name></port>';
    const missing = '<port nc:operation="delete"><slot>9</slot><name>x</name></port>';
    assert.deepEqual(await ncclient(edit(port, 'merge'), edit(missing, 'merge')), [
      'error data-exists',
      'error data-missing',
    ]);
    const body = { 'test-device:port': [{ slot: 1, name: 'xe/0' }] };
    assert.match(await device.outcome(`POST ${DEVICE}`, body), /^409 data-exists/);
    assert.match(await device.outcome(`DELETE ${DEVICE}/port=9,x`), /^404 /);
  });
});

/** Interpreter of the package `python3-ncclient` of Debian. */
const PYTHON = '/usr/bin/python3';

/** Operation of ncclient, and its filter or configuration as XML. */
type NcclientOperation = readonly [name: 'edit-config' | 'get-config' | 'get', xml: string];

/** Server, and the file with the key of its user. */
interface NcclientPeer {
  readonly port: number;
  readonly username: string;
  readonly key: string;
}

/** Runs operations in one session. Returns the data of a read as XML, `ok` for a change, and `error TAG` for a refusal. */
async function runNcclient(
  peer: NcclientPeer,
  operations: readonly NcclientOperation[],
): Promise<readonly string[]> {
  const running = promisify(execFile)(PYTHON, ['test/support/netconf-operations.py'], { timeout: 120_000 });
  running.child.stdin?.end(JSON.stringify({ ...peer, operations }));
  const { stdout } = await running;
  return JSON.parse(stdout) as readonly string[];
}
