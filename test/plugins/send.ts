import { Agent, request } from 'undici';
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
export function sendTo({ url, caPem, login }: Peer): AdapterContext['send'] {
  // Each request has a connection of its own.
  const dispatcher = new Agent({ pipelining: 0, connect: { ca: caPem } });
  return async ({ method, path, headers: sent, body }, signal) => {
    const authorization = login === undefined ? {} : { authorization: `Basic ${btoa(login)}` };
    const headers = { ...authorization, ...sent };
    try {
      const reply = await request(url + path, { dispatcher, method, headers, body: body ?? null, signal });
      const received: Record<string, string | string[]> = {};
      for (const [name, value] of Object.entries(reply.headers)) if (value) received[name] = value;
      const bytes = Buffer.from(await reply.body.arrayBuffer());
      return { status: reply.statusCode, headers: received, body: bytes };
    } catch (cause) {
      throw new Problem('upstream_unreachable', 'no reply', { cause });
    }
  };
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
