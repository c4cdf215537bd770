import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { keepSecret } from '../leak-scan.js';
import { playFault, type FaultQueue } from './faults.js';
import { secretsIn } from './given-out.js';
import { failure, secondsOf, type DoubleReply } from './replies.js';
import { answer, type DoubleRequest } from './router.js';
import type { Json, VaultDoubleState } from './state.js';

/** A received request, for inspection by tests. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values as sent, so that a duplicate header appears twice. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface DoubleTls {
  readonly cert: string;
  readonly key: string;
}

export interface DoubleServer {
  /** Origin, on 127.0.0.1. */
  readonly address: string;
  close(): Promise<void>;
}

export interface ServerParts {
  readonly vaultState: VaultDoubleState;
  readonly faults: FaultQueue;
  readonly log: LoggedRequest[];
  /** Selects requests that are answered without a log entry and without faults. */
  readonly aside: (path: string) => boolean;
}

export async function serve(parts: ServerParts, tls: DoubleTls | undefined): Promise<DoubleServer> {
  const listener: RequestListener = (request, response) => {
    // Ignores callers that disconnect during a request.
    void handle(parts, request, response).catch(() => response.destroy());
  };
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const { method = '', url: target = '', headers, rawHeaders } = request;
  const aside = parts.aside(target);
  if (!aside) parts.log.push({ method, path: target, headers, rawHeaders, body });
  const asked = understand(parts.vaultState, request, body);
  const fault = aside ? undefined : parts.faults.take(asked);
  if (fault?.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  if (fault && playFault(fault, target, response)) return;
  const reply =
    asked.body === undefined ? NOT_JSON : answer(parts.vaultState, { ...asked, body: asked.body });
  secretsIn(asked.path, reply).forEach(keepSecret);
  write(response, request, reply);
}

function write(response: ServerResponse, request: IncomingMessage, reply: DoubleReply): void {
  const namespace = request.headers['x-vault-namespace'];
  response.writeHead(reply.status, {
    'cache-control': 'no-store',
    ...(reply.body !== undefined && { 'content-type': 'application/json' }),
    ...(typeof namespace === 'string' && { 'x-vault-namespace': namespace }),
    ...reply.headers,
  });
  response.end(reply.body === undefined ? '' : `${JSON.stringify(reply.body)}\n`);
}

function understand(
  vaultState: VaultDoubleState,
  request: IncomingMessage,
  body: string,
): Omit<DoubleRequest, 'body'> & { readonly body: Json | undefined } {
  const target = request.url ?? '/';
  const [pathname = '', query = ''] = target.split('?', 2);
  const header = request.headers['x-vault-namespace'];
  const { 'x-vault-token': token, 'x-vault-wrap-ttl': wrapTtl } = request.headers;
  const full = decodeURIComponent(pathname.replace(/^\/v1\//, ''));
  const asked = typeof header === 'string' ? header.replaceAll(/^\/|\/$/g, '') : '';
  const placed = asked === '' ? withNamespace(vaultState, full) : { namespace: asked, path: full };
  return {
    ...placed,
    method: request.method ?? 'GET',
    query: new URLSearchParams(query),
    namespaceHeader: header !== undefined,
    token: typeof token === 'string' ? token : undefined,
    wrapTtl: wrapTtl === undefined ? undefined : secondsOf(wrapTtl),
    body: parseBody(body),
    certificate: certificateOf(request),
    target,
  };
}

/**
 * Identifies certificates by fingerprint, without checking a signature: the roles of the double name the
 * exact certificate.
 */
function certificateOf({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.fingerprint256 : undefined;
}

/** Splits the namespace off the path; clients may send it in the path or in the header. */
function withNamespace(vaultState: VaultDoubleState, path: string): { namespace: string; path: string } {
  const [namespace = ''] = [...vaultState.namespaces.keys()]
    .filter((name) => name !== '' && path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length);
  return { namespace, path: namespace === '' ? path : path.slice(namespace.length + 1) };
}

const NOT_JSON = failure(400, 'failed to decode JSON input: unexpected EOF');

/** Parses a body; undefined if it is not JSON. */
function parseBody(text: string): Json | undefined {
  try {
    return text === '' ? {} : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
