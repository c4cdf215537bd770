import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ConsoleDeps } from '../console/deps.js';
import {
  count,
  countOrNull,
  listOf,
  names,
  objectOf,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from '../lib/reply-schemas.js';
import type { SecretTest, SecretTestQuery } from './secret-status-view.js';

const vaultSchema = {
  title: 'Vault status',
  ...objectOf({
    state: { enum: ['ok', 'degraded', 'down'] },
    condition: {
      enum: [
        ...(['connected', 'sealed', 'unreachable', 'login refused', 'login failing'] as const),
        ...(['rate limited', 'degraded'] as const),
      ],
      description: 'What the secrets in use say about Vault. degraded: it does not confirm a value in use',
    },
    cachedSecrets: { ...count, description: 'Number of references that run on a cached value' },
    cachedUntil: {
      ...timestampOrNull,
      description: 'Time when the first cached value becomes too old, in milliseconds since 1970',
    },
    lostSecrets: { ...count, description: 'Number of references that have expired or are too old' },
    since: timestamp,
    addresses: names,
    authMethod: text,
    mount: text,
    adapterScope: {
      ...text,
      description:
        'Path below the mount that adapters registered through the API may refer to; {name} is the name of the adapter, and an empty text allows all',
    },
    tokenTtlSeconds: {
      ...countOrNull,
      description: 'Remaining lifetime; null if unknown, and for a token that never expires',
    },
    tokenLifetimeSeconds: {
      ...countOrNull,
      description: 'Lifetime when the token was issued or renewed; null like tokenTtlSeconds',
    },
  }),
  type: ['object', 'null'],
  description: 'Null if no Vault is configured',
} as const;

const filesSchema = {
  title: 'Status of secret files',
  ...objectOf({
    state: {
      enum: ['ok', 'degraded'],
      description: 'degraded: a file in use cannot be read again, and its last good value stays in use',
    },
    root: { ...text, description: 'Folder of the files' },
    adapterScope: {
      ...text,
      description:
        'Path below the folder that adapters registered through the API may refer to; {name} is the name of the adapter, and an empty text allows all',
    },
    cause: textOrNull,
  }),
  type: ['object', 'null'],
  description: 'Null if no folder of secrets is configured',
} as const;

const referencesSchema = listOf({
  reference: { ...text, description: 'Path and field, which are not secret' },
  usedBy: listOf({
    kind: { enum: ['adapter', 'settings'] },
    name: text,
    pointer: text,
    proof: {
      ...objectOf({
        at: timestamp,
        verdict: { enum: ['accepted', 'refused', 'failed'] },
        versions: {
          type: 'array',
          items: count,
          description: 'Versions of the tried values; empty if their store keeps none',
        },
        isInUse: { type: 'boolean', description: 'False while the former value stays in use' },
        reason: textOrNull,
      }),
      type: ['object', 'null'],
      description:
        'Result of the test of the latest rotated value: a login and a read of the adapter; failed: the orchestrator said nothing about the value. Null without one',
    },
  }),
  resolves: { type: ['boolean', 'null'], description: 'Null if the reference has not been resolved yet' },
  cause: textOrNull,
  fix: textOrNull,
  fetchedAt: {
    ...timestampOrNull,
    description: 'Time when Vault, or the file, last confirmed the value, in milliseconds since 1970',
  },
  version: { ...countOrNull, description: 'Version of the secret; null if its engine has no versions' },
  leaseSeconds: {
    ...countOrNull,
    description: 'Remaining time of the lease; null for a secret without a lease',
  },
  renewable: { type: ['boolean', 'null'] },
  rotation: {
    enum: ['current', 'stale', 'ended', 'pending', 'missing'],
    description:
      'stale: the previous value is in use; ended: the lease is over; pending: a new value is not in use yet; missing: it never had a value',
  },
  isTooOld: {
    type: 'boolean',
    description: 'True for a stale value that Vault has not confirmed for vault.refresh.maxStaleSeconds',
  },
  rotated: {
    ...objectOf({ at: timestamp, from: countOrNull, to: countOrNull }),
    type: ['object', 'null'],
    description:
      'Latest change that this server has seen, with the versions before and after; null without one',
  },
});

/** Returns the status of every reference to a secret; the reply contains no part of a value. */
export const getSecrets: Operation<ConsoleDeps> = {
  id: 'getSecrets',
  summary: 'List the references to secrets in use and whether they resolve, without their values.',
  description:
    'Returns the state of Vault and of the secret files, and of every reference to a secret: whether it resolves, and who uses it.',
  method: 'GET',
  path: '/secrets',
  topics: ['secrets'],
  roles: ['admin'],
  reply: {
    title: 'Secrets in use',
    ...objectOf({
      vault: vaultSchema,
      files: filesSchema,
      references: referencesSchema,
      encLeft: {
        ...count,
        description: 'Number of encrypted values in the configuration, which are refused',
      },
    }),
  },
  handle: (_call, { monitoring }) => ({ body: monitoring.secrets() }),
};

/** Reads a secret from Vault. Returns whether the reference resolves, but not the value. */
export const testSecret: Operation<ConsoleDeps, SecretTestQuery> = {
  id: 'testSecret',
  summary: 'Test whether a reference resolves in Vault; the value is not returned.',
  description:
    'Reads a secret from Vault, and returns whether the reference resolves. With `adapter`, also a reference that is not in use yet is tested, if an adapter registered under this name may use it (`vault.adapterScope`). Tests follow each other only after a pause.',
  problems: ['too_many_requests'],
  method: 'POST',
  path: '/secrets/test',
  roles: ['admin'],
  body: {
    title: 'Reference to test',
    type: 'object',
    required: ['reference'],
    properties: {
      reference: { ...text, minLength: 1, maxLength: 1_024 },
      adapter: {
        ...text,
        minLength: 1,
        maxLength: 64,
        description:
          'Name of the adapter, registered or not yet, that is to use the reference; absent: only a reference in use is tested',
      },
    },
    additionalProperties: false,
  },
  reply: {
    title: 'Result of the test',
    ...objectOf({ ok: { type: 'boolean' }, cause: textOrNull, fix: textOrNull }),
  },
  audited: true,
  target: ({ body: { reference } }) => (REFERENCE_BEGIN.test(reference) ? reference : ''),
  async handle({ body }, { monitoring }) {
    const result = await monitoring.testSecret(body);
    if ('untried' in result) throw untriedProblem(result);
    if (result.ok) return { body: { ok: true, cause: null, fix: null }, outcome: 'ok' };
    return { body: { ok: false, cause: result.cause, fix: result.fix }, outcome: 'does not resolve' };
  },
};

/** Other text may be a password that was entered by mistake. */
const REFERENCE_BEGIN = /^\$(?:VAULT|FILE|SECRET)_/;

function untriedProblem(result: Extract<SecretTest, { readonly untried: unknown }>): Problem {
  if (result.untried === 'too soon') return tooSoon(result.waitMs);
  if (result.untried === 'refused') return invalidMember(result.member, result.cause, result.fix);
  return invalidMember('reference', 'is not a reference that an adapter or a setting uses');
}

function invalidMember(member: 'reference' | 'adapter', message: string, advice?: string): Problem {
  const pointer = `/${member}`;
  return new Problem('invalid_request', `${pointer} ${message}`, {
    errors: [{ pointer, message }],
    ...(advice !== undefined && { advice }),
  });
}

function tooSoon(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `a reference was tested a moment ago; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
