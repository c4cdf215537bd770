import { createNetconfDouble } from '../support/netconf-double.js';
import { elementText } from './netconf/element-text.js';

const MODULE = `module ietf-interfaces {
  namespace "urn:ietf:params:xml:ns:yang:ietf-interfaces";
  prefix if;
  container interfaces { list interface { key "name"; leaf name { type string; } } }
}`;
const REPLY =
  '<data><interfaces xmlns="urn:ietf:params:xml:ns:yang:ietf-interfaces"><interface><name>eth0</name></interface></interfaces></data>';

/** Opens a NETCONF device with one interface. Its requests are the filters that it receives, without namespaces. */
export async function openNetconfDevice() {
  const requests: string[] = [];
  const double = await createNetconfDouble({
    capabilities: [
      'urn:ietf:params:netconf:base:1.1',
      'urn:ietf:params:xml:ns:yang:ietf-interfaces?module=ietf-interfaces',
    ],
    schemas: { 'ietf-interfaces': MODULE },
    onOperation(operation) {
      const [filter] = operation.children;
      requests.push(`<${operation.name}> ${filter?.children.map(elementText).join('') ?? ''}`);
      return REPLY;
    },
  });
  const { port, fingerprint } = double;
  return { port, requests, fingerprint, close: () => double.close() };
}
