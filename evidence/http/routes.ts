import { Agent, request } from 'node:http';
import type { BoundOperation } from '../../src/core/operation.js';
import { describeOperations } from '../../src/features/operations.js';
import { startHttpTestServer, TOKENS } from '../../test/support/http-server.js';

/** Another spelling of a request, which some servers treat as equal. */
interface Mutation {
  readonly path?: (path: string) => string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const inLast = (put: (part: string) => string) => (path: string) =>
  path.replace(/[^/]+$/, (part) => put(part));

const MUTATIONS: readonly Mutation[] = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '/./',
    ';',
    ';x=y',
    '/;x',
    '%00',
    '%20',
    '%2f',
    '%2F',
    '%5c',
    '.json',
    '?',
    '?x=y',
    '%0a',
    '%09',
    '~',
    '..;/',
  ].map((end) => ({ path: (path: string) => path + end })),
  ...['/', '//', '/.', '/x/..', '/%2e', '/%2e%2e', '/;', '\\'].map((start) => ({
    path: (path: string) => start + path,
  })),
  { path: (path) => path.toUpperCase() },
  { path: (path) => path.replaceAll('/', '//') },
  { path: (path) => path.replaceAll('/', '/./') },
  { path: (path) => `/${path.slice(1).replaceAll('/', '%2f')}` },
  { path: inLast((part) => `%${part.charCodeAt(0).toString(16)}${part.slice(1)}`) },
  { path: inLast((part) => `x/../${part}`) },
  { path: (path) => `http://other.example${path}` },
  { headers: { 'x-original-url': '/health/status', 'x-rewrite-url': '/health/status' } },
  { headers: { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-http-method': 'GET' } },
  { headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' } },
  { headers: { 'x-forwarded-user': 'admin', 'x-remote-user': 'admin', 'x-roles': 'admin' } },
  ...['HEAD', 'OPTIONS', 'TRACE', 'PATCH'].map((method) => ({ method })),
];

interface RouteFindings {
  readonly routes: number;
  readonly mutations: number;
  readonly requests: number;
  /** Requests that got an operation done which their caller may not call. */
  readonly done: readonly string[];
}

/** Options of the route checks; `open` grants access to all callers. */
export interface RouteOptions {
  /** Tests only every `step`-th route; all by default. */
  readonly step?: number;
  readonly open?: boolean;
}

/**
 * H8: sends the request of every operation that needs a role in many spellings, without the role and without
 * a token.
 */
export async function tryRoutes({ step = 1, open = false }: RouteOptions = {}): Promise<RouteFindings> {
  const done: string[] = [];
  let current = '';
  const operations: readonly BoundOperation[] = describeOperations()
    .filter(({ row }) => row.method !== 'ANY')
    .map((described) => ({
      ...(described as Pick<BoundOperation, 'name' | 'paths' | 'row' | 'applicationSummary'>),
      target: () => '',
      handle: () => {
        if (typeof described.row.roles !== 'string') done.push(`${described.name}: ${current}`);
        return { body: null };
      },
    }));
  const house = await startHttpTestServer({
    operations,
    deps: { ...(open && { rolesOf: () => 'public' as const }) },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let requests = 0;
  const routes = operations.flatMap(({ row, paths }) => paths.map((path) => ({ method: row.method, path })));
  const tried = routes.filter((_, at) => at % step === 0);
  for (const { route, mutation, token } of combinations(tried)) {
    const method = mutation.method ?? route.method;
    const target = (mutation.path ?? String)(route.path.replaceAll(/:\w+/g, 'nobody'));
    const headers = { ...mutation.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    current = `${method} ${target}`;
    requests += 1;
    await send({ port: house.port, agent, method, target, headers });
  }
  agent.destroy();
  await house.close();
  return { routes: tried.length, mutations: MUTATIONS.length, requests, done };
}

interface Route {
  readonly method: string;
  readonly path: string;
}

function combinations(
  routes: readonly Route[],
): readonly { readonly route: Route; readonly mutation: Mutation; readonly token: string | undefined }[] {
  const tokens = [undefined, TOKENS.reader];
  return routes.flatMap((route) =>
    MUTATIONS.flatMap((mutation) => tokens.map((token) => ({ route, mutation, token }))),
  );
}

interface Sent {
  readonly port: number;
  readonly agent: Agent;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request; resolves after the reply, or after the server closed the connection. */
function send({ target, ...options }: Sent): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', path: target, ...options }, (reply) => {
      reply.resume().on('close', resolve);
    });
    sent.on('error', () => {
      resolve();
    });
    sent.end();
  });
}
