const text = { type: 'string' } as const;
const digest = { type: 'string', pattern: '^([0-9a-f]{64})?$' } as const;

export const auditRecordSchema = {
  title: 'Audit record',
  type: 'object',
  required: ['time', 'requestId', 'operation', 'subject', 'issuer', 'target', 'status', 'outcome'],
  properties: {
    time: { type: 'string', format: 'date-time', description: 'End of the call, in UTC' },
    requestId: { ...text, description: 'Id of the request, as in its reply and in the log' },
    operation: {
      ...text,
      description:
        '<application>.<id>, or of the trail itself: audit.begin (a chain begins, or continues in a new file), audit.torn (a crash cut the previous line off, whose call got no reply), audit.verify (the server verified the chain), audit.resume (records could not be stored for durationMs; outcome has the number of calls without a record)',
    },
    subject: {
      ...text,
      description:
        'Subject of the caller; empty for a failed sign-in, gatehouse for records of the trail itself',
    },
    issuer: { ...text, description: 'Issuer of the token of the caller' },
    name: {
      ...text,
      description:
        'Name of the caller for people; absent if it is the subject. Without a subject, the account of a failed sign-in, or a digest of an unknown name',
    },
    clientAddress: {
      ...text,
      description: 'IP address of the client; absent in records from before addresses were recorded',
    },
    reason: {
      ...text,
      description:
        'Why the orchestrator rejected the call, in its own words: at most 1,000 characters, without secrets; absent if it gave no reason',
    },
    target: {
      ...text,
      description:
        'Path of the request without its query; the target that the operation reported may follow, for example a method and a path',
    },
    status: { type: 'integer', description: 'HTTP status; 0 at the start of a stream' },
    outcome: {
      ...text,
      description:
        'Problem code, or the outcome that the operation reported: a status of the orchestrator, an id, a count, a stored version',
    },
    durationMs: { type: 'number', description: 'Milliseconds from the start to the end of the call' },
    before: {
      ...digest,
      description:
        'Digest (HMAC-SHA256 of canonical JSON) of the state before the call; empty if there was no state or it is not known',
    },
    after: { ...digest, description: 'Digest of the state after the call, as in before' },
    seq: {
      type: 'integer',
      minimum: 1,
      description: 'Position in the chain, from 1 without gaps; absent in records from before the chain',
    },
    prev: { ...digest, description: 'Hash of the previous record' },
    hash: { ...digest, description: 'Seal over all other members (HMAC-SHA256)' },
  },
} as const;
