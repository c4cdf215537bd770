// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getProfileImpact: {
    reply: {
      profile: 'night',
      starts: [],
      stops: ['inventory', 'lab2'],
      restarts: [],
      unchanged: 1,
      settings: [],
      faults: [],
      level: null,
    },
  },
  getOverview: {
    reply: {
      server: {
        version: '1.0.0',
        release: '2023.2',
        since: 1795608000000,
        now: 1795608000000,
        activeProfile: 'night',
        revision: 21,
        generation: 17,
        ready: true,
        configurationUpToDate: true,
        traffic: { perMinute: 3, errorsPerMinute: 0, p50Ms: 34, p95Ms: 100 },
      },
      adapters: [
        {
          name: 'core1',
          state: 'RUNNING',
          connection: 'ONLINE',
          cause: null,
          breaker: 'closed',
          traffic: { perMinute: 2, errorsPerMinute: 0, p50Ms: 25, p95Ms: 34 },
          type: 'restconf',
          model: 'restconf',
          suspended: null,
          connectionSince: 1795608000000,
          since: 1795608000000,
          origin: { kind: 'file', file: '/etc/gatehouse/adapters/core1.yaml' },
          baseUrls: [{ origin: 'https://host.example', breaker: 'closed' }],
          inFlight: 0,
          waiting: 0,
        },
        {
          name: 'inventory',
          state: 'STOPPED',
          connection: 'UNKNOWN',
          cause: 'the active profile "night" leaves it out',
          breaker: null,
          traffic: { perMinute: 1, errorsPerMinute: 0, p50Ms: 100, p95Ms: 100 },
          type: 'itential-adapter',
          model: 'itential-adapter',
          suspended: null,
          connectionSince: null,
          since: null,
          origin: { kind: 'file', file: '/etc/gatehouse/adapters/inventory.yaml' },
          baseUrls: [{ origin: 'http://host.example', breaker: null }],
          inFlight: 0,
          waiting: 0,
        },
      ],
      callers: [{ name: 'ada', perMinute: 3, errorsPerMinute: 0 }],
      problems: [
        {
          severity: 'warning',
          title: 'The adapter is stopped',
          cause: 'the active profile "night" leaves it out',
          about: { kind: 'adapter', name: 'inventory' },
          since: 1795608000000,
        },
        {
          severity: 'warning',
          title: 'The adapter is stopped',
          cause: 'the active profile "night" leaves it out',
          about: { kind: 'adapter', name: 'lab2' },
          since: 1795608000000,
        },
      ],
      problemsLeft: 0,
    },
  },
  getTraffic: {
    reply: {
      cellSeconds: 300,
      from: 1795608000000,
      to: 1795608000000,
      adapters: [
        { name: 'core1', cells: [{ at: 1795608000000, calls: 2, errors: 0, p50Ms: 25, p95Ms: 34 }] },
        { name: 'inventory', cells: [{ at: 1795608000000, calls: 1, errors: 0, p50Ms: 100, p95Ms: 100 }] },
      ],
      marks: [
        { at: 1795608000000, adapter: null, kind: 'started', text: 'gatehouse started' },
        { at: 1795608000000, adapter: 'lab1', kind: 'started', text: 'the adapter started' },
      ],
    },
  },
  getCalls: {
    reply: {
      calls: [
        {
          at: 1795608000000,
          requestId: '01234567-89ab-cdef-0123-456789abcdef',
          adapter: 'inventory',
          operation: 'adapters.callAdapterMethod',
          method: 'POST',
          path: '/adapters/inventory/call/getDevice',
          about: '',
          status: 200,
          ms: 96,
          caller: 'ada',
          outcome: 'ok',
        },
      ],
    },
  },
  getLogLines: {
    reply: {
      lines: [
        {
          id: 122,
          level: 'info',
          message: 'request',
          fields: {
            method: 'GET',
            path: '/console/calls',
            status: 200,
            ms: 5,
            requestId: '01234567-89ab-cdef-0123-456789abcdef',
            traceId: 'b385fa901e445b77460e642cec4ab810',
            operation: 'console.getCalls',
            clientAddress: '127.0.0.1',
            subject: 'ada',
            issuer: 'gatehouse',
          },
          at: 1795608000000,
        },
      ],
      next: 122,
      missed: false,
      writtenLevel: 'info',
      hint: null,
    },
  },
  getSecrets: {
    reply: {
      vault: {
        state: 'ok',
        since: 1795608000000,
        addresses: ['http://host.example'],
        authMethod: 'approle',
        mount: 'secret',
        tokenTtlSeconds: 1196,
      },
      references: [
        {
          reference: '$VAULT_adapters/core1#password',
          usedBy: [{ kind: 'adapter', name: 'core1', pointer: '/auth/password' }],
          resolves: true,
          cause: null,
          fix: null,
          fetchedAt: 1795608000000,
          version: 1,
          leaseSeconds: null,
          renewable: null,
          rotation: 'current',
        },
      ],
      encLeft: 0,
    },
  },
  testSecret: {
    body: { reference: '$VAULT_adapters/core1#password' },
    reply: { ok: true, cause: null, fix: null },
  },
};
