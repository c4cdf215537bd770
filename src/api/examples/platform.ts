// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getReadiness: { reply: { ready: true, vault: 'ok' } },
  getLiveness: { reply: { live: true } },
  refreshSecrets: { reply: { vault: 'ok' } },
};
