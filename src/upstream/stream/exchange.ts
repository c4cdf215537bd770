import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import type { StreamBody } from '../../core/stream.js';
import { limitText, type Phase } from '../deadline.js';
import { failureOf } from '../failure.js';
import { tooManyInformational } from '../informational.js';
import type { PassthroughRequest, PassthroughReply, SendPassthrough } from '../passthrough.js';

/** A passthrough request with its body. */
interface StreamedRequest extends Omit<PassthroughRequest, 'begin'> {
  readonly body: StreamBody | undefined;
}

/** Limits of an exchange until the head of the reply arrives. */
interface StreamTerms {
  readonly scheduler: Scheduler;
  readonly firstByte: { readonly ms: number; readonly setting: string };
  /** Fires with the Problem that ends the exchange. */
  readonly signal: CancelSignal;
  /** Progress of the exchange. */
  readonly progress: { phase: Phase };
}

/** An exchange whose reply head has arrived. */
export interface StreamedReply extends PassthroughReply {
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
  send: SendPassthrough,
  request: StreamedRequest,
  terms: StreamTerms,
): Promise<StreamedReply> {
  let active: ActiveExchange | undefined;
  terms.signal.throwIfAborted();
  try {
    const begin = (out: ClientRequest): void => {
      active = sendRequest(out, request.body, terms);
    };
    const reply = await send({ ...request, begin });
    terms.signal.throwIfAborted();
    return { ...reply, socket: reply.head.socket, stop: () => active?.stop() };
  } catch (error) {
    active?.stop();
    if (terms.signal.aborted) throw terms.signal.reason;
    throw failureOf(error, { phase: terms.progress.phase, owner: 'adapter' });
  } finally {
    active?.onHead();
  }
}

interface ActiveExchange {
  /** Stops the timers for the head. */
  readonly onHead: () => void;
  readonly stop: () => void;
}

/**
 * Sends the body. Cancels the request when the caller leaves, when the orchestrator accepts no more bytes, or
 * when it does not start its reply in time.
 */
function sendRequest(out: ClientRequest, body: StreamBody | undefined, terms: StreamTerms): ActiveExchange {
  const { signal, progress } = terms;
  let source: NodeJS.ReadableStream | undefined;
  const timer = createReplyTimer(out, terms);
  const onAbort = (): void => {
    out.destroy(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  let informational = 0;
  const onInformational = (): void => {
    informational += 1;
    const tooMany = tooManyInformational(informational);
    if (tooMany) out.destroy(tooMany);
  };
  out.on('information', onInformational).on('continue', onInformational);
  out.once('socket', (socket) => {
    // The agent's timeout applies to idle connections only.
    socket.setTimeout(0);
    progress.phase = 'waiting for the reply';
    if (body) source = pipeBody(body.take(), out, timer);
  });
  out.once('finish', () => {
    timer.begin('did not begin its reply');
  });
  if (!body) out.end();
  return {
    onHead() {
      timer.end();
      signal.removeEventListener('abort', onAbort);
    },
    stop() {
      // The rest of the caller's body is discarded.
      source?.unpipe(out).resume();
      out.destroy();
    },
  };
}

type ReplyTimer = ReturnType<typeof createReplyTimer>;

/** Creates the timer that limits each wait for the orchestrator. */
function createReplyTimer(out: ClientRequest, { scheduler, firstByte }: StreamTerms) {
  let isEnded = false;
  let cancel = (): void => undefined;
  return {
    begin(failure: string): void {
      cancel();
      if (isEnded) return;
      cancel = scheduler.after(firstByte.ms, () => {
        const limit = limitText(firstByte.ms, firstByte.setting);
        out.destroy(new Problem('upstream_timeout', `the target ${failure} within ${limit}`));
      });
    },
    pause(): void {
      cancel();
    },
    end(): void {
      isEnded = true;
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
  timer: ReplyTimer,
): NodeJS.ReadableStream {
  source.on('pause', () => {
    // A finished pipe pauses its source as well.
    if (!out.writableEnded) timer.begin('did not accept more of the request');
  });
  source.on('resume', () => {
    if (!out.writableEnded) timer.pause();
  });
  source.pipe(out);
  return source;
}
