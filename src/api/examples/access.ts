// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getAccessDecision: {
    reply: {
      caller: { source: 'roles', roles: ['engineering'] },
      operation: 'orchestrator-manager.restQuery',
      adapter: 'core1',
      method: 'GET',
      path: '/restconf/data',
      result: 'denied',
      steps: [
        {
          check: 'operation',
          result: 'denied',
          outcomes: [],
          roles: ['admin'],
          isConfigured: false,
          rules: [],
        },
      ],
    },
  },
  getOperationAccess: {
    reply: {
      results: [
        { name: 'orchestrator-manager.restQuery', allowed: ['admin'], isConfigured: false, through: true },
      ],
      total: 1,
    },
  },
  getAdapterAccess: {
    reply: {
      results: [
        {
          name: 'core1',
          globalRules: 0,
          ownRules: 0,
          results: {
            admin: {
              'orchestrator-manager.restAction': 'allowed',
              'orchestrator-manager.restQuery': 'allowed',
              'proxy.passThrough': 'allowed',
              'adapters.callAdapterMethod': 'allowed',
            },
            engineering: {
              'orchestrator-manager.restAction': 'denied',
              'orchestrator-manager.restQuery': 'denied',
              'proxy.passThrough': 'denied',
              'adapters.callAdapterMethod': 'denied',
            },
            viewer: {
              'orchestrator-manager.restAction': 'denied',
              'orchestrator-manager.restQuery': 'denied',
              'proxy.passThrough': 'denied',
              'adapters.callAdapterMethod': 'denied',
            },
          },
        },
      ],
      total: 1,
    },
  },
};
