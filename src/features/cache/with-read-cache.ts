import { isSafeMethod } from '../../core/http.js';
import type { ChangingRequest, ReadCache } from '../../core/read-cache.js';
import type { StreamReply } from '../../core/stream.js';
import type { Upstream } from '../../core/upstream.js';

/**
 * Returns an upstream whose queries a cache answers, and whose changes remove replies from the cache. A change counts
 * whatever its result: an orchestrator may have carried out a request that failed here.
 */
export function withReadCache(upstream: Upstream, cache: ReadCache): Upstream {
  const pass = upstream.pass?.bind(upstream);
  const callMethod = upstream.callMethod?.bind(upstream);
  const status = upstream.status?.bind(upstream);
  const reporting = async <T>(work: Promise<T>, change: ChangingRequest | null): Promise<T> => {
    try {
      return await work;
    } finally {
      await cache.changed(change);
    }
  };
  return {
    ...upstream,
    cachedRead: (query, send) => cache.read(query, send),
    send: (request, signal, terms) => {
      const sent = upstream.send(request, signal, terms);
      return isSafe(request) ? sent : reporting(sent, request);
    },
    ...(pass && {
      pass: (request, signal) => {
        const passed = pass(request, signal);
        if (isSafe(request)) return passed;
        return reporting(passed.then(atEnd(() => cache.changed(request))), request);
      },
    }),
    ...(callMethod && {
      callMethod: (call, signal, terms) => reporting(callMethod(call, signal, terms), null),
    }),
    ...(status && { status: () => ({ ...status(), cache: cache.status() }) }),
    async close() {
      cache.close();
      await upstream.close();
    },
  };
}

/** Returns a function that reports the end of a streamed reply: an orchestrator may work on after the head of its reply. */
function atEnd(report: () => Promise<void>): (reply: StreamReply) => StreamReply {
  return (reply) => {
    reply.body.once('close', () => void report());
    return reply;
  };
}

/** Returns true for a request that changes nothing. A plugin may write the method in any case. */
function isSafe({ method }: ChangingRequest): boolean {
  return isSafeMethod(method.toUpperCase());
}
