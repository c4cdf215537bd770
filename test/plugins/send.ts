import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AdapterContext, OutboundRequest, UpstreamReply } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { createPluginConnect } from '../../src/upstream/plugin-connect.js';
import { type LogLine, memoryLog } from '../support/memory-log.js';

/** Target and credentials of the requests in a test. */
interface Peer {
  readonly url: string;
  readonly caPem?: string;
  /** `user:password` for HTTP Basic. */
  readonly login?: string;
}

/** Creates a minimal `send` of the host. */
export function sendTo(peer: Peer): AdapterContext['send'] {
  return async ({ method, path, headers, body }, signal) => {
    const login = peer.login === undefined ? {} : { authorization: `Basic ${btoa(peer.login)}` };
    const request = peer.url.startsWith('https:') ? requestHttps : requestHttp;
    const options = { method, signal, agent: false, headers: { ...login, ...headers }, ca: peer.caPem };
    try {
      return await new Promise<UpstreamReply>((resolve, reject) => {
        const sent = request(new URL(peer.url + path), options, (reply) => {
          collect(reply).then(resolve, reject);
        });
        sent.once('error', reject);
        sent.end(body);
      });
    } catch (cause) {
      throw new Problem('upstream_unreachable', 'no reply', { cause });
    }
  };
}

async function collect(reply: IncomingMessage): Promise<UpstreamReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(reply.headers).flatMap(([k, v]) => (v ? [[k, v]] : [])));
  return { status: reply.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}

/** A context of a plugin, with the lines that it logged. */
export function contextFor(send: AdapterContext['send']): { context: AdapterContext; lines: LogLine[] } {
  const { log, lines } = memoryLog();
  const starts = { timeoutMs: 10_000, takeSlot: () => Promise.resolve(() => undefined) };
  return { context: { name: 'test', log, send, connect: createPluginConnect({}), starts }, lines };
}

/** Creates a `send` that returns the same reply to every request. */
export function answering(status: number, body = ''): AdapterContext['send'] {
  return () => Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
}

/** Sends all requests of a translation in order, and returns the last reply. */
export async function sendAll(
  send: AdapterContext['send'],
  requests: readonly [OutboundRequest, ...OutboundRequest[]],
): Promise<UpstreamReply> {
  const [first, ...others] = requests;
  let reply = await send(first, AbortSignal.timeout(10_000));
  for (const request of others) reply = await send(request, AbortSignal.timeout(10_000));
  return reply;
}
