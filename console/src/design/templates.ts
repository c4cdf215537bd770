import type { JsonObject } from '../../../src/json/json-object.js';

/** A form to start from, with names of YANG models where there are any. */
export interface FormTemplate {
  readonly key: 'interface' | 'maintenance' | 'vlan' | 'firewall';
  readonly schema: JsonObject;
  readonly uiSchema: JsonObject;
}

const DEVICE = { type: 'string', title: 'Device', format: 'hostname' };
const PREFIX = { type: 'string', pattern: '^[0-9a-fA-F.:]+/[0-9]{1,3}$' };
const PORT = { type: 'integer', minimum: 1, maximum: 65535 };

/** The templates, in the order of the selection. Field names are written like those of YANG models. */
export const TEMPLATES: readonly FormTemplate[] = [
  {
    key: 'interface',
    schema: {
      type: 'object',
      required: ['device', 'name'],
      properties: {
        device: DEVICE,
        name: { type: 'string', title: 'Interface', description: 'For example GigabitEthernet0/0/1' },
        description: { type: 'string', title: 'Description', maxLength: 240 },
        enabled: { type: 'boolean', title: 'Enabled', default: true },
        mtu: { type: 'integer', title: 'MTU', minimum: 68, maximum: 65535 },
        'ip-version': { type: 'string', title: 'IP version', enum: ['ipv4', 'ipv6'] },
      },
      allOf: [
        {
          if: { properties: { 'ip-version': { const: 'ipv4' } }, required: ['ip-version'] },
          then: { properties: { ipv4: { type: 'string', format: 'ipv4', title: 'IPv4 address' } } },
        },
        {
          if: { properties: { 'ip-version': { const: 'ipv6' } }, required: ['ip-version'] },
          then: { properties: { ipv6: { type: 'string', format: 'ipv6', title: 'IPv6 address' } } },
        },
      ],
    },
    uiSchema: {},
  },
  {
    key: 'maintenance',
    schema: {
      type: 'object',
      required: ['devices', 'start', 'end', 'reason'],
      properties: {
        devices: { type: 'array', title: 'Devices', minItems: 1, items: DEVICE },
        start: { type: 'string', format: 'date-time', title: 'Start' },
        end: { type: 'string', format: 'date-time', title: 'End' },
        reason: { type: 'string', title: 'Reason' },
        impact: { type: 'string', title: 'Impact', enum: ['none', 'degraded', 'outage'] },
        contact: { type: 'string', format: 'email', title: 'Contact' },
      },
    },
    uiSchema: { reason: { 'ui:widget': 'textarea' } },
  },
  {
    key: 'vlan',
    schema: {
      type: 'object',
      required: ['device', 'action', 'vlan-id'],
      properties: {
        device: DEVICE,
        action: { type: 'string', title: 'Action', enum: ['add', 'change', 'remove'] },
        'vlan-id': { type: 'integer', title: 'VLAN ID', minimum: 1, maximum: 4094 },
        name: { type: 'string', title: 'Name', maxLength: 32 },
        'tagged-ports': { type: 'array', title: 'Tagged ports', items: { type: 'string' } },
        'untagged-ports': { type: 'array', title: 'Untagged ports', items: { type: 'string' } },
      },
    },
    uiSchema: {},
  },
  {
    key: 'firewall',
    schema: {
      type: 'object',
      required: ['acl', 'name', 'protocol', 'forwarding'],
      properties: {
        acl: { type: 'string', title: 'Access list' },
        name: { type: 'string', title: 'Rule' },
        'source-network': { ...PREFIX, title: 'Source network' },
        'destination-network': { ...PREFIX, title: 'Destination network' },
        protocol: { type: 'string', title: 'Protocol', enum: ['tcp', 'udp', 'icmp', 'any'] },
        forwarding: { type: 'string', title: 'Forwarding', enum: ['accept', 'drop', 'reject'] },
        logging: { type: 'boolean', title: 'Log matches' },
      },
      allOf: ['tcp', 'udp'].map((protocol) => ({
        if: { properties: { protocol: { const: protocol } }, required: ['protocol'] },
        then: { properties: { [`${protocol}-port`]: { ...PORT, title: `${protocol.toUpperCase()} port` } } },
      })),
    },
    uiSchema: {},
  },
];
