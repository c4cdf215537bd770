import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import { childElement, childText, type XmlElement } from '../../../src/yang/encoding/xml-element.js';
import { createNetconfDouble, errorReply } from '../../support/netconf-double.js';
import { startNetconfServer } from '../../support/netconf-server.js';
import { initialData } from '../../support/restconf-double/interfaces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { optionsFor, startAdapter } from '../netconf/adapter.js';
import { optionsForDouble } from '../netconf/double-adapter.js';
import { type Device, deviceOf, LIST } from './device.js';

/** A device, and the end of what serves it. */
export interface RunningDevice {
  readonly device: Device;
  /** Gives the device its first configuration again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const DEMO = `module gatehouse-demo {
  yang-version 1.1;
  namespace "urn:gatehouse:demo";
  prefix demo;
  revision 2026-01-01;
  rpc restart-interface { input { leaf name { type string; mandatory true; } } output { leaf restarted-at { type string; } } }
}
`;

/** Folder with the modules of NMDA (RFC 8343, RFC 8344) in the package of netconfd. */
const NMDA = '/usr/share/yuma/nmda-modules/ietf';

/** Starts netconfd with the interfaces of a small router, and the plugin netconf. */
export async function startNetconfdDevice(): Promise<RunningDevice> {
  const demo = join(temporaryFolder().path, 'gatehouse-demo@2026-01-01.yang');
  writeFileSync(demo, DEMO);
  const server = await startNetconfServer({
    modules: [
      `${NMDA}/ietf-interfaces@2018-02-20.yang`,
      `${NMDA}/ietf-ip@2018-02-22.yang`,
      '/usr/share/yuma/modules/ietf/iana-if-type@2014-05-08.yang',
      demo,
    ],
  });
  const { device, stop } = await startPlugin(optionsFor(server)).catch(async (error: unknown) => {
    await server.close();
    throw new Error(`the plugin did not start on netconfd, which wrote:\n${server.output()}`, {
      cause: error,
    });
  });
  return {
    device,
    async reset() {
      const reply = await device.call(`PUT ${LIST}`, { body: initialData() });
      if (reply.status >= 300) throw new Error(reply.body.toString());
    },
    async close() {
      await stop();
      await server.close();
    },
  };
}

/** Starts a double that has the state of an interface and an operation with an output, which netconfd has not. */
export async function startDeviceWithState(): Promise<RunningDevice> {
  const double = await createNetconfDouble({
    capabilities: [
      'urn:ietf:params:netconf:base:1.1',
      'urn:ietf:params:netconf:capability:candidate:1.0',
      'urn:ietf:params:xml:ns:yang:ietf-interfaces?module=ietf-interfaces&revision=2018-02-20&features=if-mib',
      'urn:ietf:params:xml:ns:yang:iana-if-type?module=iana-if-type&revision=2026-03-17',
      'urn:gatehouse:demo?module=gatehouse-demo&revision=2026-01-01',
    ],
    schemas: {
      'gatehouse-demo': DEMO,
      'ietf-interfaces': bundled('ietf-interfaces@2018-02-20'),
      'ietf-yang-types': bundled('ietf-yang-types@2013-07-15'),
      'iana-if-type': bundled('iana-if-type@2026-03-17'),
    },
    onOperation: answer,
  });
  const { device, stop } = await startPlugin(optionsForDouble(double));
  return {
    device,
    reset: () => Promise.resolve(),
    async close() {
      await stop();
      await double.close();
    },
  };
}

function bundled(name: string): string {
  return readFileSync(join('config', 'yang', `${name}.yang`), 'utf8');
}

function answer(operation: XmlElement): string {
  if (operation.name === 'restart-interface')
    return childText(operation, 'name') === 'eth0'
      ? '<restarted-at xmlns="urn:gatehouse:demo">2024-05-01T10:00:00.000Z</restarted-at>'
      : errorReply('invalid-value', 'there is no such interface');
  if (operation.name !== 'get' && operation.name !== 'get-config') return '<ok/>';
  const isLibrary = childElement(operation, 'filter')?.children.some(({ name }) => name !== 'interfaces');
  return isLibrary === true ? '<data/>' : `<data>${INTERFACES}</data>`;
}

const INTERFACES = `<interfaces xmlns="urn:ietf:params:xml:ns:yang:ietf-interfaces"><interface>
<name>GigabitEthernet0/1</name><description>Customer port, not in use</description>
<type xmlns:i="urn:ietf:params:xml:ns:yang:iana-if-type">i:ethernetCsmacd</type><enabled>false</enabled>
<admin-status>down</admin-status><oper-status>down</oper-status><last-change>2024-05-01T10:00:00Z</last-change>
<if-index>3</if-index><phys-address>52:54:00:12:34:13</phys-address><speed>1000000000</speed>
<statistics><discontinuity-time>2024-05-01T10:00:00Z</discontinuity-time><in-octets>0</in-octets></statistics>
</interface></interfaces>`;

async function startPlugin(options: NetconfOptions) {
  const started = await startAdapter(options);
  return { device: deviceOf(started), stop: () => started.stop() };
}
