import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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
import { tooManyInformational } from '../interim-replies.js';
import { endFailed } from '../with-tracing.js';

/** A request that is complete except for its framing, and its body. */
interface OutgoingRequest {
  readonly method: string;
  /** Request target, byte for byte (RFC 9112 section 3.2). */
  readonly target: string;
  /** Names in lower case. Framing headers are ignored. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Length of the body in bytes; `chunked` if unknown; `none` without a body. */
  readonly length: number | 'chunked' | 'none';
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
  readonly reuse: ConnectionReuse;
}

/** An exchange whose reply head has arrived. */
export interface StreamedReply {
  /** The head, whose stream is the body. */
  readonly head: IncomingMessage;
  /** The connection after a protocol switch. */
  readonly tunnel: Duplex | undefined;
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
  send: SendStream,
  request: OutgoingRequest,
  terms: StreamTerms,
): Promise<StreamedReply> {
  return new Promise((resolve, reject) => {
    const exchange = new StreamExchange(request, terms, { resolve, reject });
    try {
      terms.signal.throwIfAborted();
      send(exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/** Sends the request of an exchange once, and gives the exchange the head of its reply, or the error of Node.js. */
export type SendStream = (exchange: StreamExchange) => void;

/** The functions of the Promise of an exchange. */
interface Outcome {
  resolve(reply: StreamedReply): void;
  reject(error: unknown): void;
}

/** The caller's connection is not visible to the library: it would leave a listener on the server of the connection. */
const NO_SOCKET = { destroyed: false } as const;

/**
 * A request that is being sent. The library takes it for the request of a caller, of which it reads `method`, `url`, `headers` and
 * `socket`, and which it pipes to the orchestrator: no other part of the caller's request can get into the forwarded one.
 */
export class StreamExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: OutgoingRequest['headers'];
  readonly socket = NO_SOCKET;
  readonly #request: OutgoingRequest;
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

  constructor(request: OutgoingRequest, terms: StreamTerms, outcome: Outcome) {
    this.method = request.method;
    this.url = request.target;
    this.headers = request.headers;
    this.#request = request;
    this.#terms = terms;
    this.#outcome = outcome;
  }

  on(): void {
    // The library listens for the end of the caller's request, which the signal of the terms reports.
  }

  /**
   * Sends the body. Cancels the request when the caller leaves, when the orchestrator accepts no more bytes, or
   * when it does not start its reply in time.
   */
  pipe(out: ClientRequest): ClientRequest {
    const { signal } = this.#terms;
    this.#out = out;
    // The library removes repeated slashes from a path. Once the socket is assigned, setting the path throws.
    out.path = this.url;
    // The size limits the head of the reply; Node would silently drop all lines after the first thousand.
    out.maxHeadersCount = 0;
    setFraming(out, this.#request.length);
    const onAbort = (): void => {
      if (!this.#hasEnded) out.destroy(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    out.once('upgrade', (head, tunnel, first) => {
      if (first.length > 0) tunnel.unshift(first);
      this.receive(head, tunnel);
    });
    out.on('information', () => {
      this.#informational += 1;
      const tooMany = tooManyInformational(this.#informational);
      if (tooMany) this.fail(tooMany);
    });
    out.on('socket', (socket: Socket) => {
      this.#onSocket(out, socket);
    });
    if (!this.#request.body) out.end();
    return out;
  }

  /** Receives the head of the reply, and the connection after a protocol switch. */
  receive(head: IncomingMessage, tunnel?: Duplex): void {
    const { signal, end } = this.#terms;
    // The parser also reads the bytes that had arrived when the exchange failed.
    if (this.#hasEnded) {
      (tunnel ?? head).destroy();
      return;
    }
    this.#onHead();
    if (signal.aborted) {
      this.#end(signal.reason);
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

  /** Receives the error of the request. */
  fail(error: unknown): void {
    // The request may fail after its reply has begun, which concerns the stream of the reply.
    if (this.#hasEnded) return;
    const { signal, progress } = this.#terms;
    this.#onHead();
    // A connection that fails says the same whether or not its caller has waited.
    const isOfCaller = signal.aborted && progress.phase !== 'connecting';
    this.#end(isOfCaller ? signal.reason : this.#failureOf(error));
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
    const { body } = this.#request;
    if (body) this.#pipeBody(body, out);
    else this.#wait('did not begin its reply');
  }

  /**
   * Pipes the body. `pipeline` would destroy the caller's connection together with the orchestrator's, and with
   * it the pending response.
   */
  #pipeBody(body: StreamBody, out: ClientRequest): void {
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

  #end(error: unknown): void {
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

/**
 * Sets the framing headers. The library turns a DELETE with a chunked body into a request with length 0,
 * whose body would be read as the next request.
 */
function setFraming(out: ClientRequest, length: OutgoingRequest['length']): void {
  out.removeHeader('content-length');
  out.removeHeader('transfer-encoding');
  out.useChunkedEncodingByDefault = length === 'chunked';
  if (length === 'chunked') out.setHeader('transfer-encoding', 'chunked');
  else if (length !== 'none') out.setHeader('content-length', length);
}
