import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AuditRecord } from '../../src/core/audit.js';
import {
  type Application,
  bindApplication,
  type BoundOperation,
  type Call,
  type Operation,
  type Reply,
} from '../../src/core/operation.js';
import type { Principal } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import type { AuditTrail } from '../../src/features/audit/audit-trail.js';
import { createApp } from '../../src/http/express-app.js';
import { createPipeline, type PipelineDeps } from '../../src/http/pipeline.js';
import { listen, type ListenOptions } from '../../src/http/server.js';
import { createRefuse } from '../../src/http/write-response.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { systemClock } from '../../src/lib/clock.js';
import type { ServerSettings } from '../../src/settings/settings.js';
import { type LogLine, memoryLog } from './memory-log.js';

/** Handlers of the operations of the test API; tests replace members. */
export type Actions = Record<string, (call: Call) => Reply | Promise<Reply>>;

/** Valid tokens of the test API. */
export const TOKENS = { admin: 'token-of-ada', reader: 'token-of-rita' } as const;

const PEOPLE: Readonly<Record<string, Principal>> = {
  [TOKENS.admin]: { subject: 'ada', issuer: 'https://idp.test', roles: ['admin'], expiresAt: 4e9 },
  [TOKENS.reader]: { subject: 'rita', issuer: 'https://idp.test', roles: ['readonly'], expiresAt: 4e9 },
};

export const BODY_BYTES = 1_000;

const thing = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, size: { type: 'integer', default: 3 }, text: { type: 'string' } },
} as const;

/**
 * Creates an operation whose handler is looked up by its id; without a handler, the operation replies with
 * its arguments.
 */
export function operationRow(
  id: string,
  method: Operation<Actions>['method'],
  rest: Partial<Operation<Actions>>,
): Operation<Actions> {
  return {
    id,
    summary: `Do ${id}.`,
    method,
    path: '/things/:name',
    roles: ['admin'],
    reply: {},
    handle: (call, actions) => actions[id]?.(call) ?? { body: echo(call) },
    ...rest,
  };
}

function echo({ params, query, body, principal }: Call): object {
  return { params, query: [...query], ...(body !== undefined && { body }), subject: principal?.subject };
}

/** A small API with an operation of every kind. */
export const demo: Application<Actions> = {
  name: 'demo',
  summary: 'For the tests.',
  prefixes: ['/demo', '/old_demo'],
  operations: [
    operationRow('getThing', 'GET', {}),
    operationRow('createThing', 'POST', { path: '/things', body: thing }),
    operationRow('importThings', 'POST', { path: '/things/import', body: thing }),
    operationRow('updateThing', 'PUT', { body: thing, audited: true }),
    operationRow('startThing', 'PUT', { path: '/things/:name/start', audited: true }),
    operationRow('deleteThings', 'DELETE', { path: '/things', body: thing }),
    operationRow('getStatus', 'GET', { path: '/status', roles: 'public' }),
  ],
};

export interface HttpTestServerOptions {
  readonly actions?: Actions;
  /** Operations that are served instead of the test API. */
  readonly operations?: readonly BoundOperation[];
  readonly deps?: Partial<PipelineDeps>;
  readonly limits?: Partial<ServerSettings['limits']>;
  readonly drainSeconds?: number;
  /** Load balancers in front of the server. */
  readonly proxies?: Partial<Pick<ServerSettings, 'trustedProxies' | 'proxyProtocol' | 'cors'>>;
  readonly tls?: ListenOptions['tls'];
  readonly shed?: ListenOptions['shed'];
  readonly listen?: string;
}

/** The handler of the test API, with its log lines and audit records. */
interface TestApi {
  readonly handler: RequestListener;
  readonly operations: readonly BoundOperation[];
  readonly lines: LogLine[];
  readonly records: AuditRecord[];
}

/** Builds the API without a server. */
export function buildTestApi({ actions = {}, deps = {}, ...options }: HttpTestServerOptions = {}): TestApi {
  const { log, lines } = memoryLog();
  const { audit, records } = memoryAudit();
  const own = { log, clock: systemClock, newId: randomUUID };
  const operations = options.operations ?? bindApplication(demo, actions);
  const serve = createPipeline({
    ...own,
    audit,
    authenticate: ({ header }) => personOf(header('authorization')),
    rolesOf: ({ row: { roles } }) => roles,
    compile: compileSchema,
    bodyBytes: BODY_BYTES,
    bodyValues: 10_000,
    ...deps,
  });
  return {
    handler: createApp({ operations, serve, refuse: createRefuse({ ...own, ...deps }) }),
    operations,
    lines,
    records,
  };
}

/** A server on a free port. */
export const SERVER: ServerSettings = {
  listen: '127.0.0.1:0',
  publicUrl: null,
  tls: null,
  limits: {
    bodyBytes: BODY_BYTES,
    bodyValues: 10_000,
    headerBytes: 16_384,
    requestTimeoutMs: 10_000,
    headersTimeoutMs: 5_000,
    keepAliveTimeoutMs: 5_000,
    connections: 100,
    connectionsPerAddress: 100,
    cacheBytes: 67_108_864,
  },
  overload: null,
  workers: 1,
  adapterStarts: 1,
  trustedProxies: [],
  cors: { origins: [], maxAgeSeconds: 600 },
  proxyProtocol: null,
  lameDuckSeconds: 0,
  drainSeconds: 5,
  watchdogSeconds: 0,
  reloadPlugins: true,
};

export interface HttpTestServer extends TestApi {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Builds the API and opens a server for it on a free port. */
export async function startHttpTestServer(options: HttpTestServerOptions = {}): Promise<HttpTestServer> {
  const memory = memoryLog();
  const testApi = buildTestApi({ ...options, deps: { log: memory.log, ...options.deps } });
  const settings: ServerSettings = {
    ...SERVER,
    ...(options.listen !== undefined && { listen: options.listen }),
    limits: { ...SERVER.limits, ...options.limits },
    ...options.proxies,
    ...(options.drainSeconds !== undefined && { drainSeconds: options.drainSeconds }),
  };
  const server = await listen({
    settings,
    handler: testApi.handler,
    log: memory.log,
    ...(options.tls && { tls: options.tls }),
    ...(options.shed && { shed: options.shed }),
  });
  return {
    ...testApi,
    lines: memory.lines,
    url: server.url,
    port: Number(new URL(server.url).port),
    close: server.close,
  };
}

export function memoryAudit(): { readonly audit: AuditTrail; readonly records: AuditRecord[] } {
  const records: AuditRecord[] = [];
  const audit: AuditTrail = {
    reserve: () => true,
    release: () => undefined,
    append: (record) => {
      records.push(record);
      return Promise.resolve();
    },
    appendOrKeep: (record) => {
      records.push(record);
      return Promise.resolve(true);
    },
    writable: () => Promise.resolve(true),
    digest: (state) => (state === undefined ? '' : `digest of ${JSON.stringify(state)}`),
    find: () => Promise.resolve({ results: records.toReversed() }),
    close: () => Promise.resolve(),
  };
  return { audit, records };
}

/** Returns the principal of a token of the test API. */
export function personOf(authorization: string | undefined): Principal {
  const person = PEOPLE[authorization?.replace(/^Bearer /, '') ?? ''];
  if (!person) throw new Problem('unauthorized', 'no', { cause: new Error('not a token of the test') });
  return person;
}

/** A reply whose body is a JSON object or empty. */
interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a supertest request. */
export async function ask(test: PromiseLike<unknown>): Promise<TestAnswer> {
  return (await test) as TestAnswer;
}
