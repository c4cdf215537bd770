import type { NetconfServer } from '../../test/support/netconf-server.js';

/** YANG module of the device: a list with an entry of ten leaves. */
export const MODULE = `module bench-device {
  yang-version 1.1; namespace "urn:bench:device"; prefix b; revision 2026-01-01;
  container ports { list port { key "name"; leaf name { type string; }
    ${Array.from({ length: 9 }, (_, at) => `leaf leaf-${at} { type uint32; }`).join(' ')} } }
}
`;

const LEAVES = Array.from({ length: 9 }, (_, at) => [`leaf-${at}`, at] as const);
const ENTRY = { 'bench-device:port': [{ name: 'xe-0', ...Object.fromEntries(LEAVES) }] };

/** Path of the entry, which is read as configuration. */
export const PATH = '/restconf/data/bench-device:ports/port=xe-0?content=config';

/** Body of the reply of gatehouse. */
export const REPLY = JSON.stringify(ENTRY);

/** Call that creates the entry. */
export const SETUP = JSON.stringify({
  params: { path: '/restconf/data/bench-device:ports/port=xe-0', accept: 'application/json', method: 'PUT' },
  body: ENTRY,
});

/** The same read, as the raw client sends it. */
export const REQUEST =
  '<rpc xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="1"><get-config><source><running/></source><filter type="subtree"><ports xmlns="urn:bench:device"><port><name>xe-0</name></port></ports></filter></get-config></rpc>';

/** Returns the file of the adapter. */
export function adapterFile(
  { port, username, privateKey, fingerprint }: NetconfServer,
  sessions: number,
): string {
  const key = privateKey.reveal().trimEnd().replaceAll('\n', '\n      ');
  return `plugin: netconf
baseUrl: https://127.0.0.1
options:
  host: 127.0.0.1
  port: ${port}
  sessions: ${sessions}
  ssh:
    username: ${username}
    hostKeys: ['${fingerprint}']
    privateKey: |
      ${key}
`;
}
