import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ConsoleDeps } from './deps.js';
import {
  count,
  countOrNull,
  listOf,
  moment,
  momentOrNull,
  names,
  objectOf,
  text,
  textOrNull,
} from './schema-parts.js';

const vaultSchema = {
  ...objectOf({
    state: { enum: ['ok', 'degraded', 'down'] },
    since: moment,
    addresses: names,
    authMethod: text,
    mount: text,
    tokenTtlSeconds: { ...countOrNull, description: 'Null: none yet, or one that never ends' },
  }),
  type: ['object', 'null'],
  description: 'Null where none is configured',
} as const;

const referencesSchema = listOf({
  reference: { ...text, description: 'Path and field, which are no secrets' },
  usedBy: listOf({ kind: { enum: ['adapter', 'settings'] }, name: text, pointer: text }),
  resolves: { type: ['boolean', 'null'], description: 'Null: nobody has asked yet' },
  cause: textOrNull,
  fix: textOrNull,
  fetchedAt: { ...momentOrNull, description: 'When Vault last confirmed it' },
  version: { ...countOrNull, description: 'Where the engine keeps versions' },
  leaseSeconds: { ...countOrNull, description: 'What is left of it; null where it is not lent' },
  renewable: { type: ['boolean', 'null'] },
  rotation: {
    enum: ['current', 'stale', 'ended', 'pending'],
    description: 'stale: serves on from before; ended: was lent; pending: another value is not taken up',
  },
});

/** Returns the status of every reference to a secret; the reply contains no part of a value. */
export const getSecrets: Operation<ConsoleDeps> = {
  id: 'getSecrets',
  summary: 'List the references to secrets in use and whether they resolve, without their values.',
  method: 'GET',
  path: '/secrets',
  roles: ['admin'],
  reply: {
    title: 'Secrets in use',
    ...objectOf({
      vault: vaultSchema,
      references: referencesSchema,
      encLeft: { ...count, description: 'Encrypted values in what was asked for, which are refused' },
    }),
  },
  handle: (_call, { monitoring }) => ({ body: monitoring.secrets() }),
};

interface TestBody {
  readonly reference: string;
}

/** Reads a secret in use, and returns whether the reference resolves to a value. */
export const testSecret: Operation<ConsoleDeps, TestBody> = {
  id: 'testSecret',
  summary: 'Test whether a reference in use resolves in Vault; the value is not returned.',
  method: 'POST',
  path: '/secrets/test',
  roles: ['admin'],
  body: {
    title: 'Reference to test',
    ...objectOf({ reference: { ...text, minLength: 1, maxLength: 1_024 } }),
    additionalProperties: false,
  },
  reply: {
    title: 'Whether it resolves',
    ...objectOf({ ok: { type: 'boolean' }, cause: textOrNull, fix: textOrNull }),
  },
  audited: true,
  async handle({ body: { reference } }, { monitoring }) {
    const found = await monitoring.testSecret(reference);
    if ('untried' in found) throw found.untried === 'unknown' ? notInUse() : tooSoon(found.waitMs);
    if (found.ok) return { body: { ok: true, cause: null, fix: null }, outcome: 'ok' };
    return { body: { ok: false, cause: found.cause, fix: found.fix }, outcome: 'does not resolve' };
  },
};

function notInUse(): Problem {
  const message = 'is no reference that an adapter or a setting uses';
  return new Problem('invalid_request', `/reference ${message}`, {
    errors: [{ pointer: '/reference', message }],
  });
}

function tooSoon(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000);
  return new Problem('too_many_requests', `a secret was read a moment ago; ask again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
