import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { StreamBody } from '../../core/stream.js';
import type { Phase } from '../deadline.js';
import { failureOf } from '../failure.js';
import type { PreparedStream, PreparedRequest, PrepareStream } from '../passthrough.js';

/** A request with the body that goes with it. */
export interface StreamedRequest extends Omit<PreparedRequest, 'begin'> {
  readonly body: StreamBody | undefined;
}

/** What an exchange must keep to until its head has come. */
export interface StreamTerms {
  readonly scheduler: Scheduler;
  readonly firstByteMs: number;
  /** Fires with the Problem that ends the exchange. */
  readonly signal: CancelSignal;
  /** How far it has come. */
  readonly progress: { phase: Phase };
}

/** An exchange whose head has come. */
export interface StreamedReply extends PreparedStream {
  /** The connection that it takes place on. */
  readonly socket: Socket;
  /** Ends what of the request is still on its way. */
  readonly stop: () => void;
}

/**
 * Sends a request whose body is passed on while it arrives, once. The body is asked for when there is a connection, so that a
 * failure to connect costs nothing of it. Throws `upstream_unreachable`, `upstream_bad_reply`, `upstream_timeout` or
 * the reason of the signal.
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
  /** No timer of the head runs any more. */
  readonly headCame: () => void;
  readonly stop: () => void;
}

/** Sends the body, watched: by the caller's leaving, for an orchestrator that takes nothing, and for one that does not begin to answer. */
function run(out: ClientRequest, body: StreamBody | undefined, terms: StreamTerms): ActiveExchange {
  const { signal, progress } = terms;
  let source: NodeJS.ReadableStream | undefined;
  const patience = createPatience(out, terms);
  const leave = (): void => {
    out.destroy(signal.reason);
  };
  signal.addEventListener('abort', leave, { once: true });
  out.once('socket', (socket) => {
    // The agent's limit is for connections that nobody uses.
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
      // What the caller still sends is of no use to anybody.
      source?.unpipe(out).resume();
      out.destroy();
    },
  };
}

type StreamTimeouts = ReturnType<typeof createPatience>;

/** Waits for the orchestrator for a while at a time. */
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

/** `pipe` alone: a pipeline would destroy the caller's connection with the orchestrator's, and with it the answer that is still to come. */
function pipeBody(
  source: NodeJS.ReadableStream,
  out: ClientRequest,
  patience: StreamTimeouts,
): NodeJS.ReadableStream {
  source.on('pause', () => {
    // A pipe that has done its work pauses its source as well.
    if (!out.writableEnded) patience.begin('did not take more of the request');
  });
  source.on('resume', () => {
    if (!out.writableEnded) patience.pause();
  });
  source.pipe(out);
  return source;
}
