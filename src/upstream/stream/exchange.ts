import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../core/problem.js';
import type { StreamBody } from '../../core/stream.js';
import type { ClientSpan } from '../../core/trace.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import type { ConnectionReuse } from '../connection-reuse.js';
import { limitText, type Phase } from '../deadline.js';
import { announcesContent, isWithoutContent } from '../exchange.js';
import { failureOf, unansweredReuse } from '../failure.js';
import { isEndByPeer } from '../guarded-socket.js';
import { tooManyInformational } from '../informational.js';
import type { PassthroughReply, PassthroughRequest, SendPassthrough } from '../passthrough.js';
import { endFailed } from '../with-tracing.js';

/** A passthrough request with its body. */
interface StreamedRequest extends Pick<PassthroughRequest, 'method' | 'target' | 'headers' | 'length'> {
  readonly body: StreamBody | undefined;
}

/** Limit of each wait for an orchestrator. */
export interface WaitLimit {
  readonly ms: number;
  /** Key of the configuration that sets the limit. */
  readonly setting: string;
}

/** Limits of an exchange until the head of the reply arrives. */
interface StreamTerms {
  readonly waitLimit: WaitLimit;
  readonly scheduler: Scheduler;
  /** Fires with the Problem that ends the exchange. */
  readonly signal: CancelSignal;
  /** Progress of the exchange. */
  readonly progress: { phase: Phase };
  /** Ends the span of the request. */
  readonly end: ClientSpan['end'] | undefined;
  readonly reuse: Pick<ConnectionReuse, 'noteDrop' | 'noteReply'>;
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
 * connection failure consumes none of it. Throws `upstream_unreachable`, which is inconclusive after the end of a reused connection,
 * `upstream_bad_reply`, `upstream_timeout` or the reason of the signal.
 */
export function exchangeStream(
  send: SendPassthrough,
  request: StreamedRequest,
  terms: StreamTerms,
): Promise<StreamedReply> {
  return new Promise((resolve, reject) => {
    const exchange = new StreamExchange(request, terms, { resolve, reject });
    try {
      terms.signal.throwIfAborted();
      send(exchange);
    } catch (error) {
      exchange.reject(error);
    }
  });
}

/** The functions of the Promise of an exchange. */
interface Outcome {
  resolve(reply: StreamedReply): void;
  reject(error: unknown): void;
}

/** A request that is being sent. One object, because every stream would create each further function anew. */
class StreamExchange implements PassthroughRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: PassthroughRequest['headers'];
  readonly length: PassthroughRequest['length'];
  readonly #body: StreamBody | undefined;
  readonly #terms: StreamTerms;
  readonly #outcome: Outcome;
  #out: ClientRequest | undefined;
  #source: NodeJS.ReadableStream | undefined;
  #socket: Socket | undefined;
  /** Bytes that the connection had received before the request. */
  #bytesBefore = 0;
  #cancelTimer: (() => void) | undefined;
  #informational = 0;
  #hasEnded = false;

  constructor(
    { method, target, headers, length, body }: StreamedRequest,
    terms: StreamTerms,
    outcome: Outcome,
  ) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.length = length;
    this.#body = body;
    this.#terms = terms;
    this.#outcome = outcome;
  }

  /**
   * Sends the body. Cancels the request when the caller leaves, when the orchestrator accepts no more bytes, or
   * when it does not start its reply in time.
   */
  begin(out: ClientRequest): void {
    const { signal } = this.#terms;
    this.#out = out;
    const onAbort = (): void => {
      if (!this.#hasEnded) out.destroy(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    out.on('information', () => {
      this.#informational += 1;
      const tooMany = tooManyInformational(this.#informational);
      if (tooMany) this.reject(tooMany);
    });
    out.on('socket', (socket: Socket) => {
      this.#onSocket(out, socket);
    });
    if (!this.#body) out.end();
  }

  resolve({ head, tunnel }: PassthroughReply): void {
    const { signal, end } = this.#terms;
    // The parser also reads the bytes that had arrived when the exchange failed.
    if (this.#hasEnded) {
      (tunnel ?? head).destroy();
      return;
    }
    this.#onHead();
    if (signal.aborted) {
      this.#fail(signal.reason);
      return;
    }
    const { statusCode = 0, headers } = head;
    end?.(statusCode);
    if (this.#out?.reusedSocket) this.#terms.reuse.noteReply();
    const endsWithHead = this.method === 'HEAD' || isWithoutContent(statusCode);
    // Content that the target sends nevertheless would become the reply to the next request.
    if (this.#out && endsWithHead && announcesContent(headers)) this.#out.shouldKeepAlive = false;
    const stop = (): void => {
      this.#stop();
    };
    this.#outcome.resolve({ head, tunnel, socket: head.socket, stop });
  }

  reject(error: unknown): void {
    // The request may fail after its reply has begun, which concerns the stream of the reply.
    if (this.#hasEnded) return;
    const { signal } = this.#terms;
    this.#onHead();
    this.#fail(signal.aborted ? signal.reason : this.#failureOf(error));
  }

  #failureOf(error: unknown): Error {
    const { progress, reuse } = this.#terms;
    const failure = failureOf(error, { phase: progress.phase, owner: 'adapter' });
    const socket = this.#out?.reusedSocket ? this.#socket : undefined;
    const isUnanswered = socket?.bytesRead === this.#bytesBefore;
    if (!socket || !isUnanswered || !(error instanceof Error) || !isEndByPeer(error)) return failure;
    reuse.noteDrop(socket);
    return unansweredReuse(failure, 'adapter');
  }

  #onSocket(out: ClientRequest, socket: Socket): void {
    // The agent's timeout applies to idle connections only.
    socket.setTimeout(0);
    this.#socket = socket;
    this.#bytesBefore = socket.bytesRead;
    this.#terms.progress.phase = 'waiting for the reply';
    if (this.#body) this.#pipe(this.#body, out);
    else this.#wait('did not begin its reply');
  }

  /**
   * Pipes the body. `pipeline` would destroy the caller's connection together with the orchestrator's, and with
   * it the pending response.
   */
  #pipe(body: StreamBody, out: ClientRequest): void {
    const source = body.take();
    this.#source = source;
    source.on('pause', () => {
      // A finished pipe pauses its source as well.
      if (!out.writableEnded) this.#wait('did not accept more of the request');
    });
    source.on('resume', () => {
      if (!out.writableEnded) this.#cancelTimer?.();
    });
    out.once('finish', () => {
      this.#wait('did not begin its reply');
    });
    source.pipe(out);
  }

  /** Limits the time until the orchestrator does what the text says it did not do. */
  #wait(awaited: string): void {
    this.#cancelTimer?.();
    if (this.#hasEnded) return;
    const { scheduler, waitLimit } = this.#terms;
    const { ms, setting } = waitLimit;
    this.#cancelTimer = scheduler.after(ms, () => {
      this.#out?.destroy(
        new Problem('upstream_timeout', `the target ${awaited} within ${limitText(ms, setting)}`),
      );
    });
  }

  /** Ends the limits that apply until the head. */
  #onHead(): void {
    this.#hasEnded = true;
    this.#cancelTimer?.();
  }

  #fail(error: unknown): void {
    const { end } = this.#terms;
    if (end) endFailed(end, error);
    this.#stop();
    this.#outcome.reject(error);
  }

  #stop(): void {
    const out = this.#out;
    if (!out) return;
    // The rest of the caller's body is discarded.
    this.#source?.unpipe(out).resume();
    out.destroy();
  }
}
