const text = { type: 'string' } as const;
const digest = { type: 'string', pattern: '^([0-9a-f]{64})?$' } as const;

/** Schema of an audit record in a reply. */
export const auditRecordSchema = {
  title: 'Audit record',
  type: 'object',
  required: ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'status', 'outcome'],
  properties: {
    time: { type: 'string', format: 'date-time' },
    requestId: text,
    operation: { ...text, description: '<application>.<id>' },
    subject: { ...text, description: 'Subject of the caller' },
    issuer: { ...text, description: 'Issuer of the token of the caller' },
    name: { ...text, description: 'Name of the caller for people; absent if it is the subject' },
    clientAddress: {
      ...text,
      description: 'IP address of the client; absent in records from before addresses were recorded',
    },
    reason: {
      ...text,
      description: 'Why the orchestrator refused the call, in its own words; absent if it gave no reason',
    },
    target: {
      ...text,
      description: 'Path of the request; the target that the operation reported may follow',
    },
    status: { type: 'integer', description: 'HTTP status; 0 at the start of a stream' },
    outcome: { ...text, description: 'Problem code, or the outcome that the operation reported' },
    durationMs: { type: 'number' },
    before: { ...digest, description: 'Digest of the state before the call' },
    after: { ...digest, description: 'Digest of the state after the call' },
    seq: {
      type: 'integer',
      minimum: 1,
      description: 'Position in the chain; absent in records from before the chain',
    },
    prev: { ...digest, description: 'Hash of the previous record' },
    hash: { ...digest, description: 'Seal over all other members' },
  },
} as const;
