import { adapterNotFound } from '../../core/adapter-names.js';
import { CONNECTION_STEPS } from '../../core/connection-test.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem, withExtras } from '../../core/problem.js';
import { targetHosts } from '../../upstream/adapter-targets.js';
import { type AdapterBody, documentFrom, newAdapterSchema } from './adapter-document.js';
import type { AdaptersDeps, ConnectionTest, FinishedTest, TestCaller } from './deps.js';
import { namesOf } from './require-adapter.js';

const certificateSchema = {
  type: 'object',
  required: ['subject', 'issuer', 'notAfter'],
  properties: {
    subject: { type: 'string' },
    issuer: { type: 'string' },
    notAfter: { type: 'integer', description: 'End of its validity, in milliseconds since 1970' },
  },
} as const;

const stepSchema = {
  type: 'object',
  required: ['step', 'verdict', 'ms', 'message', 'fix'],
  properties: {
    step: { enum: CONNECTION_STEPS },
    verdict: {
      enum: ['ok', 'warning', 'failed', 'skipped'],
      description: 'skipped: the step does not apply, or an earlier step failed',
    },
    ms: { type: ['integer', 'null'], description: 'Duration in milliseconds; null if nothing was sent' },
    message: { type: 'string' },
    fix: { type: ['string', 'null'], description: 'What to do; null if there is nothing to do' },
    certificate: certificateSchema,
  },
} as const;

const connectionTestSchema = {
  title: 'Connection test',
  type: 'object',
  required: ['ok', 'targets'],
  properties: {
    ok: { type: 'boolean', description: 'False if a step failed' },
    targets: {
      type: 'array',
      description: 'One test for each base URL',
      items: {
        type: 'object',
        required: ['baseUrl', 'steps'],
        properties: { baseUrl: { type: 'string' }, steps: { type: 'array', items: stepSchema } },
      },
    },
  },
} as const;

export const testAdapterConnection: Operation<AdaptersDeps, AdapterBody> = {
  id: 'testAdapterConnection',
  summary: 'Run a connection test of an adapter that is not saved yet.',
  description:
    'Tests name, TCP, TLS, login and first read with the sent settings and the egress rules of a registered adapter. Stores nothing, and closes every connection.',
  problems: [
    'adapter_forbidden',
    'adapter_in_file',
    'adapter_unavailable',
    'too_many_requests',
    'vault_unavailable',
  ],
  method: 'POST',
  path: '/connection-test',
  roles: ['admin'],
  body: newAdapterSchema,
  reply: connectionTestSchema,
  audited: true,
  target: ({ body }) => sentTarget(body),
  async handle(call, { connections }) {
    const document = documentFrom(call.body.properties);
    const change = { after: document };
    try {
      return { ...replyOf(await connections.testUnsaved(document, callerOf(call))), change };
    } catch (error) {
      throw error instanceof Problem ? withExtras(error, { change }) : error;
    }
  },
};

export const testSavedAdapterConnection: Operation<AdaptersDeps> = {
  id: 'testSavedAdapterConnection',
  summary: 'Run a connection test of an adapter.',
  description:
    'Tests name, TCP, TLS, login and first read with connections of its own, so that the running adapter goes on unchanged.',
  problems: [
    'adapter_forbidden',
    'adapter_not_found',
    'adapter_unavailable',
    'too_many_requests',
    'vault_unavailable',
  ],
  method: 'POST',
  path: '/:name/connection-test',
  roles: ['admin'],
  reply: { ...connectionTestSchema, title: 'Connection test of an adapter' },
  audited: true,
  async handle(call, { adapters, connections }) {
    const { name = '' } = call.params;
    const tested = await connections.testSaved(name, callerOf(call));
    if (!tested) throw adapterNotFound(name, namesOf(adapters.list()));
    return replyOf(tested);
  },
};

/**
 * Returns the name and the targets of a document. The audit record has them although the caller leaves before the test ends:
 * they say where credentials may have gone. Settings of a catalogue adapter are options.
 */
function sentTarget({ properties: { name, properties } }: AdapterBody): string {
  const settings = properties?.properties ?? {};
  return [name ?? '', ...targetHosts({ ...settings, options: settings['options'] ?? settings })].join(' ');
}

function callerOf({ principal, signal }: Call): TestCaller {
  const id = JSON.stringify([principal?.issuer, principal?.subject]);
  return { id, roles: principal?.roles ?? [], signal };
}

function replyOf({ test, hosts }: FinishedTest): Reply {
  return {
    body: test,
    outcome: `${test.ok ? 'ok' : `failed: ${failedStepOf(test)}`} at ${hosts.join(', ')}`,
  };
}

function failedStepOf({ targets }: ConnectionTest): string {
  const steps = targets.flatMap(({ steps: all }) => all);
  return steps.find(({ verdict }) => verdict === 'failed')?.step ?? '';
}
