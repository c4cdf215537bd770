import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { StreamBody } from '../../core/stream.js';
import type { Phase } from '../deadline.js';
import { failureOf } from '../failure.js';
import type { PreparedStream, PreparedRequest, PrepareStream } from '../passthrough.js';

/** A prepared request with its body. */
export interface StreamedRequest extends Omit<PreparedRequest, 'begin'> {
  readonly body: StreamBody | undefined;
}

/** Limits of an exchange until the head of the reply arrives. */
export interface StreamTerms {
  readonly scheduler: Scheduler;
  readonly firstByteMs: number;
  /** Fires with the Problem that ends the exchange. */
  readonly signal: CancelSignal;
  /** Progress of the exchange. */
  readonly progress: { phase: Phase };
}

/** An exchange whose reply head has arrived. */
export interface StreamedReply extends PreparedStream {
  /** The connection of the exchange. */
  readonly socket: Socket;
  /** Stops sending the rest of the request. */
  readonly stop: () => void;
}

/**
 * Sends a request once and streams its body. Requests the body only after the connection is open, so that a
 * connection failure consumes none of it. Throws `upstream_unreachable`, `upstream_bad_reply`,
 * `upstream_timeout` or the reason of the signal.
 */
export async function exchangeStream(
  carry: PrepareStream,
  request: StreamedRequest,
  terms: StreamTerms,
): Promise<StreamedReply> {
  let running: ActiveExchange | undefined;
  terms.signal.throwIfAborted();
  try {
    const begin = (out: ClientRequest): void => {
      running = run(out, request.body, terms);
    };
    const carried = await carry({ ...request, begin });
    terms.signal.throwIfAborted();
    return { ...carried, socket: carried.head.socket, stop: () => running?.stop() };
  } catch (error) {
    running?.stop();
    if (terms.signal.aborted) throw terms.signal.reason;
    throw failureOf(error, terms.progress.phase);
  } finally {
    running?.headCame();
  }
}

interface ActiveExchange {
  /** Stops the timers for the head. */
  readonly headCame: () => void;
  readonly stop: () => void;
}

/**
 * Sends the body. Cancels the request when the caller leaves, when the orchestrator accepts no more bytes, or
 * when it does not start its reply in time.
 */
function run(out: ClientRequest, body: StreamBody | undefined, terms: StreamTerms): ActiveExchange {
  const { signal, progress } = terms;
  let source: NodeJS.ReadableStream | undefined;
  const patience = createPatience(out, terms);
  const leave = (): void => {
    out.destroy(signal.reason);
  };
  signal.addEventListener('abort', leave, { once: true });
  out.once('socket', (socket) => {
    // The agent's timeout applies to idle connections only.
    socket.setTimeout(0);
    progress.phase = 'waiting for the reply';
    if (body) source = pipeBody(body.take(), out, patience);
  });
  out.once('finish', () => {
    patience.begin('did not begin its reply');
  });
  if (!body) out.end();
  return {
    headCame() {
      patience.end();
      signal.removeEventListener('abort', leave);
    },
    stop() {
      // The rest of the caller's body is discarded.
      source?.unpipe(out).resume();
      out.destroy();
    },
  };
}

type StreamTimeouts = ReturnType<typeof createPatience>;

/** Creates the timer that limits each wait for the orchestrator. */
function createPatience(out: ClientRequest, { scheduler, firstByteMs }: StreamTerms) {
  let isOver = false;
  let cancel = (): void => undefined;
  return {
    begin(what: string): void {
      cancel();
      if (isOver) return;
      cancel = scheduler.after(firstByteMs, () => {
        out.destroy(new Problem('upstream_timeout', `the target ${what} within ${firstByteMs} ms`));
      });
    },
    pause(): void {
      cancel();
    },
    end(): void {
      isOver = true;
      cancel();
    },
  };
}

/**
 * Pipes the body. `pipeline` would destroy the caller's connection together with the orchestrator's, and with
 * it the pending response.
 */
function pipeBody(
  source: NodeJS.ReadableStream,
  out: ClientRequest,
  patience: StreamTimeouts,
): NodeJS.ReadableStream {
  source.on('pause', () => {
    // A finished pipe pauses its source as well.
    if (!out.writableEnded) patience.begin('did not take more of the request');
  });
  source.on('resume', () => {
    if (!out.writableEnded) patience.pause();
  });
  source.pipe(out);
  return source;
}
