import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ConsoleDeps } from './deps.js';
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
} from './schema-parts.js';

const vaultSchema = {
  title: 'Vault status',
  ...objectOf({
    state: { enum: ['ok', 'degraded', 'down'] },
    condition: {
      enum: ['connected', 'sealed', 'unreachable', 'login refused', 'degraded'],
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

const referencesSchema = listOf({
  reference: { ...text, description: 'Path and field, which are not secret' },
  usedBy: listOf({ kind: { enum: ['adapter', 'settings'] }, name: text, pointer: text }),
  resolves: { type: ['boolean', 'null'], description: 'Null if the reference has not been resolved yet' },
  cause: textOrNull,
  fix: textOrNull,
  fetchedAt: {
    ...timestampOrNull,
    description: 'Time when Vault last confirmed the value, in milliseconds since 1970',
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
    'Returns the state of Vault, and of every reference to a secret: whether it resolves, and who uses it.',
  method: 'GET',
  path: '/secrets',
  roles: ['admin'],
  reply: {
    title: 'Secrets in use',
    ...objectOf({
      vault: vaultSchema,
      references: referencesSchema,
      encLeft: {
        ...count,
        description: 'Number of encrypted values in the configuration, which are refused',
      },
    }),
  },
  handle: (_call, { monitoring }) => ({ body: monitoring.secrets() }),
};

interface TestBody {
  readonly reference: string;
}

/** Reads a secret that is in use. Returns whether the reference resolves, but not the value. */
export const testSecret: Operation<ConsoleDeps, TestBody> = {
  id: 'testSecret',
  summary: 'Test whether a reference in use resolves in Vault; the value is not returned.',
  description:
    'Reads a secret that is in use from Vault, and returns whether the reference resolves. Tests follow each other only after a pause.',
  problems: ['too_many_requests'],
  method: 'POST',
  path: '/secrets/test',
  roles: ['admin'],
  body: {
    title: 'Reference to test',
    ...objectOf({ reference: { ...text, minLength: 1, maxLength: 1_024 } }),
    additionalProperties: false,
  },
  reply: {
    title: 'Result of the test',
    ...objectOf({ ok: { type: 'boolean' }, cause: textOrNull, fix: textOrNull }),
  },
  audited: true,
  async handle({ body: { reference } }, { monitoring }) {
    const result = await monitoring.testSecret(reference);
    if ('untried' in result) throw result.untried === 'unknown' ? notInUse() : tooSoon(result.waitMs);
    if (result.ok) return { body: { ok: true, cause: null, fix: null }, outcome: 'ok' };
    return { body: { ok: false, cause: result.cause, fix: result.fix }, outcome: 'does not resolve' };
  },
};

function notInUse(): Problem {
  const message = 'is not a reference that an adapter or a setting uses';
  return new Problem('invalid_request', `/reference ${message}`, {
    errors: [{ pointer: '/reference', message }],
  });
}

function tooSoon(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `a reference was tested a moment ago; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
