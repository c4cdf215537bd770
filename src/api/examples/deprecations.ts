// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getDeprecations: {
    reply: {
      release: '2023.2',
      results: [
        {
          operation: 'deprecations.isAlive',
          method: 'GET',
          path: '/isAlive',
          stage: 'removed',
          deprecatedIn: '2018.3',
          deprecatedOn: '2018-07-01',
          removedIn: '2021.1',
          removedOn: '2021-01-01',
          replacements: [{ method: 'GET', path: '/status' }],
          calls: 0,
          lastCall: null,
          callers: [],
        },
        {
          operation: 'deprecations.deleteConfigProfile',
          method: 'DELETE',
          path: '/config/profile/delete/:id',
          stage: 'removed',
          deprecatedIn: '2020.2',
          deprecatedOn: '2020-04-01',
          removedIn: '2021.2',
          removedOn: '2021-04-01',
          replacements: [{ method: 'DELETE', path: '/profiles/:id' }],
          calls: 0,
          lastCall: null,
          callers: [],
        },
      ],
      total: 35,
    },
  },
};
