import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { keepSecret } from '../leak-scan.js';
import { listenOnLoopback } from '../loopback.js';
import { playFault, type FaultQueue } from './faults.js';
import type { DoubleReply } from './replies.js';
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

interface DoubleServer {
  /** Origin, on 127.0.0.1. */
  readonly address: string;
  close(): Promise<void>;
}

interface ServerParts {
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
  const { port, close } = await listenOnLoopback(server);
  return { address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, close };
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { method = '', url: target = '', headers, rawHeaders } = request;
  const aside = parts.aside(target);
  if (!aside) parts.log.push({ method, path: target, headers, rawHeaders, body });
  const asked = understand(request, body);
  const fault = aside ? undefined : parts.faults.take(asked);
  if (fault && playFault(fault, target, response)) return;
  const reply = answer(parts.vaultState, asked);
  secretsIn(asked.path, reply).forEach(keepSecret);
  write(response, reply);
}

function write(response: ServerResponse, { status, headers, body }: DoubleReply): void {
  const type = body !== undefined && { 'content-type': 'application/json' };
  response.writeHead(status, { 'cache-control': 'no-store', ...type, ...headers });
  response.end(body === undefined ? '' : `${JSON.stringify(body)}\n`);
}

function understand(request: IncomingMessage, body: string): DoubleRequest {
  const [pathname = '', query = ''] = (request.url ?? '/').split('?', 2);
  const headerOf = (name: string): string | undefined => request.headers[name]?.toString();
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(pathname.replace(/^\/v1\//, '')),
    query: new URLSearchParams(query),
    namespace: headerOf('x-vault-namespace'),
    token: headerOf('x-vault-token'),
    body: body === '' ? {} : (JSON.parse(body) as Json),
    certificate: certificateOf(request),
  };
}

/**
 * Identifies certificates by fingerprint, without checking a signature: the roles of the double name the
 * exact certificate.
 */
function certificateOf({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.fingerprint256 : undefined;
}

/**
 * Returns every secret text of a reply, for the leak scan: tokens, and the secrets that an engine stores or leases.
 */
function secretsIn(path: string, { body }: DoubleReply): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { auth, data } = body as Readonly<Record<string, Json | null | undefined>>;
  const given = /^(sys|auth)\//.test(path) ? [data?.['secret_id'], data?.['id']] : engineSecrets(data ?? {});
  return textsIn([auth?.['client_token'], given]);
}

function engineSecrets(data: Json): unknown {
  // Skips data that is not secret: the version metadata of KV version 2, the names in a folder, and the username
  // of a database account.
  if (Array.isArray(data['keys']) && Object.keys(data).length === 1) return [];
  if ('subkeys' in data || 'created_time' in data) return [];
  return 'metadata' in data ? data['data'] : { ...data, username: undefined, last_vault_rotation: undefined };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
