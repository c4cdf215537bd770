import type { Operation } from '../../core/operation.js';
import type { AuditVerifications, VerificationState } from './audit-trail.js';

export interface VerificationDeps {
  readonly verifications: AuditVerifications;
}

const time = { type: 'integer', description: 'Milliseconds since 1970' } as const;
const sequenceNumber = { type: 'integer', minimum: 1 } as const;

const stateMembers = {
  type: 'object',
  properties: {
    running: {
      type: 'object',
      required: ['startedAt', 'entries'],
      description: 'The verification that is running; absent if none is',
      properties: {
        startedAt: time,
        entries: { type: 'integer', minimum: 0, description: 'Number of records that were verified so far' },
      },
    },
    last: {
      type: 'object',
      required: ['at', 'isIntact', 'outcome'],
      description: 'Result of the last verification; absent before the first',
      properties: {
        at: time,
        isIntact: { type: 'boolean', description: 'False if the chain is broken or could not be read' },
        first: { ...sequenceNumber, description: 'First record of the intact chain' },
        last: { ...sequenceNumber, description: 'Last record of the intact chain' },
        outcome: {
          type: 'string',
          description: 'The result as a sentence: the first break, or the reason of a failure',
        },
      },
    },
  },
} as const;

/** Returns the verification that is running, and the result of the last one. */
export const getVerification: Operation<VerificationDeps> = {
  id: 'getVerification',
  summary: 'Get the state of the verification of the audit trail.',
  description: 'Returns the progress of the verification that is running, and the result of the last one.',
  method: 'GET',
  path: '/audit/verification',
  roles: ['admin'],
  reply: { title: 'Verification of the audit trail', ...stateMembers },
  handle: async (_call, { verifications }) => ({ body: await verifications.state() }),
};

/** Starts a verification of the whole trail. */
export const startVerification: Operation<VerificationDeps> = {
  id: 'startVerification',
  summary: 'Verify the audit trail.',
  description:
    'Follows the chain of the audit trail to its first break, as `gatehouse audit verify` does. One verification runs at a time; it continues after the reply, and its result is a record of the audit trail.',
  method: 'POST',
  path: '/audit/verification',
  roles: ['admin'],
  reply: { title: 'Started verification of the audit trail', ...stateMembers },
  audited: true,
  async handle(_call, { verifications }) {
    const isStarted = verifications.start();
    const body: VerificationState = await verifications.state();
    return { body, outcome: isStarted ? 'started' : 'already running' };
  },
};
