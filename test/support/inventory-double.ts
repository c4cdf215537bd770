import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.js';

/** Reply of `/counters`: JSON whose numbers a double cannot represent. */
export const COUNTERS =
  '{"id": 12345678901234567, "octets": 18446744073709551615, "rate": 1.0, "max": 1e400}';

interface InventoryRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/**
 * A small REST inventory that requires a login: `POST /login` returns a token for the header `X-Auth-Token`.
 */
export interface InventoryDouble {
  readonly port: number;
  readonly requests: readonly InventoryRequest[];
  readonly tokens: readonly string[];
  /** False: every request except a login gets status 503. */
  healthy: boolean;
  close(): Promise<void>;
}

interface InventoryTable {
  readonly password: string;
  readonly requests: InventoryRequest[];
  readonly tokens: string[];
  readonly double: { healthy: boolean };
}

/** Starts an inventory on a free port of 127.0.0.1. */
export async function createInventoryDouble({ password }: { password: string }): Promise<InventoryDouble> {
  const double = { healthy: true };
  const shelf: InventoryTable = { password, requests: [], tokens: [], double };
  const server = createServer((request, response) => {
    void answer(request, response, shelf);
  });
  const { port, close } = await listenOnLoopback(server);
  return Object.assign(double, { port, requests: shelf.requests, tokens: shelf.tokens, close });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  shelf: InventoryTable,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  const body = await text(request);
  shelf.requests.push({ method, url, body });
  const reply = (status: number, value?: unknown): void => {
    response.writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  };
  if (url === '/login') logIn(body, shelf, reply);
  else if (!shelf.tokens.includes(String(headers['x-auth-token']))) reply(401, { error: 'log in first' });
  else if (!shelf.double.healthy) reply(503, { error: 'closed for stock-taking' });
  else serve(request, response, reply);
}

type Reply = (status: number, value?: unknown) => void;

function logIn(body: string, { password, tokens }: InventoryTable, reply: Reply): void {
  const given = JSON.parse(body) as { username?: unknown; password?: unknown };
  if (given.username !== 'gatehouse' || given.password !== password) {
    reply(401, { error: 'wrong password' });
    return;
  }
  const token = `inventory-token-${randomUUID()}`;
  tokens.push(token);
  reply(200, { token });
}

function serve({ method, url = '' }: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (url === '/api/v1/health') reply(200, { ok: true });
  else if (url.startsWith('/api/v1/devices'))
    reply(method === 'DELETE' ? 204 : 200, method === 'DELETE' ? undefined : { url });
  else if (url === '/api/v1/motd') response.writeHead(200, { 'content-type': 'text/plain' }).end('be well');
  else if (url === '/api/v1/counters')
    response.writeHead(200, { 'content-type': 'application/json' }).end(COUNTERS);
  else if (url === '/api/v1/reset') response.destroy();
  else if (url === '/api/v1/broken')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name": ');
  else if (url === '/api/v1/taken') reply(409, { message: 'the name is taken' });
  else reply(404, { error: 'no such thing', url });
}
