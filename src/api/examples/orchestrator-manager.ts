// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  restQuery: {
    body: {
      params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
    },
    reply: {
      'ietf-interfaces:interfaces': {
        interface: [
          {
            name: 'eth0',
            description: 'Uplink to core-1',
            type: 'iana-if-type:ethernetCsmacd',
            enabled: true,
            'ietf-ip:ipv4': {
              enabled: true,
              forwarding: true,
              address: [{ ip: '198.51.100.2', 'prefix-length': 24 }],
            },
            'admin-status': 'up',
            'oper-status': 'up',
            'last-change': '2026-11-25T12:00:00.000Z',
            'if-index': 1,
            'phys-address': '52:54:00:12:34:11',
            speed: '1000000000',
            statistics: {
              'discontinuity-time': '2026-11-25T12:00:00.000Z',
              'in-octets': '73812049',
              'out-octets': '41209731',
            },
          },
          {
            name: 'eth1',
            description: 'Uplink to core-2',
            type: 'iana-if-type:ethernetCsmacd',
            enabled: true,
            'ietf-ip:ipv4': {
              enabled: true,
              forwarding: true,
              address: [{ ip: '203.0.113.2', 'prefix-length': 24 }],
            },
            'admin-status': 'up',
            'oper-status': 'up',
            'last-change': '2026-11-25T12:00:00.000Z',
            'if-index': 2,
            'phys-address': '52:54:00:12:34:12',
            speed: '1000000000',
            statistics: {
              'discontinuity-time': '2026-11-25T12:00:00.000Z',
              'in-octets': '147624098',
              'out-octets': '82419462',
            },
          },
        ],
      },
    },
  },
  restAction: {
    body: {
      params: {
        path: '/restconf/data/ietf-interfaces:interfaces',
        accept: 'application/yang-data+json',
        contentType: 'application/yang-data+json',
        method: 'PATCH',
      },
      body: { 'ietf-interfaces:interfaces': { interface: [{ name: 'eth0', description: 'uplink' }] } },
    },
    reply: [{ result: '204' }],
  },
};
