// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  restCall: {
    body: { uri: 'http://host.example/devices/r1', verb: 'GET', responseHeaders: false },
    reply: { response: { name: 'r1', site: 'berlin' } },
  },
};
