import { Secret } from '../../../src/core/secret.js';
import type { NetconfOptions } from '../../../plugins/netconf/options.js';
import type { NetconfDouble } from '../../support/netconf-double.js';
import { optionsWith } from './adapter.js';

const BASE = 'urn:ietf:params:netconf:base:';

/** `ietf-inet-types` as far as the module of the device needs it. */
export const INET =
  'module ietf-inet-types { namespace "urn:ietf:params:xml:ns:yang:ietf-inet-types"; prefix inet; typedef ip-address { type string; } typedef port-number { type uint16; } }';

/** Capabilities of a double with the module of the device. */
export const CAPABILITIES: readonly string[] = [
  `${BASE}1.1`,
  'urn:ietf:params:netconf:capability:candidate:1.0',
  'urn:ietf:params:netconf:capability:validate:1.1',
  'urn:test:device?module=test-device&revision=2026-01-01',
];

/** Returns the options for a double. */
export function optionsForDouble(
  { port, fingerprint }: Pick<NetconfDouble, 'port' | 'fingerprint'>,
  more: Readonly<Record<string, unknown>> = {},
): NetconfOptions {
  const ssh = { username: 'gatehouse', password: 'a-password', hostKeys: [fingerprint] };
  const { ssh: checked, ...rest } = optionsWith({ host: '127.0.0.1', port, ssh, ...more });
  return {
    ...rest,
    ...(checked && { ssh: { ...checked, password: new Secret(String(checked.password)) } }),
  };
}
