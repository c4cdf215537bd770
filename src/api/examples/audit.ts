// Written by test/e2e/description-examples.test.ts: UPDATE_GOLDEN=1 npm test -- test/e2e/description-examples.test.ts
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of one application, by the id of the operation. */
export const examples: Readonly<Record<string, OperationExample>> = {
  getAudit: {
    reply: {
      results: [
        {
          time: '2026-11-25T12:00:00.000Z',
          requestId: '01234567-89ab-cdef-0123-456789abcdef',
          operation: 'platform.refreshSecrets',
          subject: 'ada',
          issuer: 'gatehouse',
          target: '/admin/vault/refresh',
          status: 200,
          outcome: '',
          durationMs: 43,
          before: '',
          after: '',
          clientAddress: '127.0.0.1',
          seq: 58,
          prev: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
          hash: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        },
      ],
      next: '58',
    },
  },
  getVerification: { reply: {} },
  startVerification: { reply: { running: { startedAt: 1795608000000, entries: 0 } } },
};
