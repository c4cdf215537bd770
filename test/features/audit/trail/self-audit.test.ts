import assert from 'node:assert/strict';
import {
  beginOutcome,
  createSelfAudit,
  tornOutcome,
} from '../../../../src/features/audit/trail/self-audit.js';

describe('createSelfAudit', () => {
  it('creates a complete record with gatehouse as its subject', () => {
    const now = Date.UTC(2026, 0, 2);
    assert.deepEqual(createSelfAudit({ operation: 'audit.torn', outcome: tornOutcome('3 bytes, ab'), now }), {
      ...{ operation: 'audit.torn', outcome: 'behind a torn line: 3 bytes, ab', status: 200 },
      ...{ time: '2026-01-02T00:00:00.000Z', requestId: '', subject: 'gatehouse', issuer: '', target: '' },
      ...{ durationMs: 0, before: '', after: '' },
    });
    assert.equal(beginOutcome(7), 'behind 7 bytes without a chain');
  });
});
