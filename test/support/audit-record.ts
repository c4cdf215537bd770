import type { AuditRecord } from '../../src/core/audit.js';
import { auditKey } from '../../src/features/audit/trail/key.js';

/** Seals records in tests that open no audit trail. */
export const { seal } = auditKey('ab'.repeat(32));

/** Creates a record of an ordinary call; the id distinguishes records. */
export function auditRecord(requestId: string, changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    time: '2026-01-02T03:04:05.678Z',
    requestId,
    operation: 'orchestrator-manager.restAction',
    subject: 'alice',
    issuer: 'https://idp.example',
    target: '/orchestrator_manager/restAction/nso1',
    status: 200,
    outcome: '',
    durationMs: 12.5,
    before: '',
    after: '',
    ...changes,
  };
}
