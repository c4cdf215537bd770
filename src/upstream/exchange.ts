import type { Dispatcher } from 'undici';
import {
  type HttpLimits,
  type HttpReply,
  type HttpRequest,
  isSafeMethod,
  type ReplyHeaders,
} from '../core/http.js';
import { Problem } from '../core/problem.js';
import { afterSending, type ReplyBytes, type ReplyMemory } from '../core/reply-memory.js';
import type { TraceHeaders } from '../core/trace.js';
import { nextTurn } from '../lib/turns.js';
import type { Deadline } from './deadline.js';
import { failureOf, unansweredReuse } from './failure.js';
import { type EndedConnection, endedConnectionOf } from './guarded-socket.js';
import {
  type AcceptsCoding,
  ANY_CODING,
  ByteSink,
  decodeReply,
  replyTooLarge,
  requestedCodings,
} from './reply-body.js';
import type { TargetOwner } from './target-advice.js';
import { isTraceHeader } from './with-tracing.js';

/** Maximum size of a reply's head, in bytes. */
export const REPLY_HEAD_BYTES = 65_536;

/** Bytes of one reply that are read before others have a turn of the event loop. */
const MAX_BYTES_PER_TURN = 262_144;

/** Limits of one exchange. */
export interface ExchangeTerms {
  readonly limits: Omit<HttpLimits, 'totalMs'>;
  readonly deadline: Deadline;
  /**
   * True if a proxy receives the request: the target must then be the absolute URL (RFC 9112 section 3.2.2).
   */
  readonly absoluteForm?: boolean;
  /**
   * Origin of the URL, from a caller whose URL is in the form of URL parsers and has no fragment. Absent: the URL is parsed.
   */
  readonly origin?: string | undefined;
  /** Headers of the trace; they replace headers of the request with the same names. */
  readonly trace?: TraceHeaders | undefined;
  /** Whose settings lead to the target, for advice about a failure; absent for Vault and token issuers. */
  readonly owner?: TargetOwner;
  /** Memory of which the reply is reserved; absent: the reply is small, or has limits of its own. */
  readonly memory?: ReplyMemory | undefined;
  /** True refuses a reply with a content coding that the request did not ask for. */
  readonly refusesOtherCodings?: boolean;
}

/** A request to send, and its terms. */
interface Exchange {
  readonly request: HttpRequest;
  readonly terms: ExchangeTerms;
  /**
   * Sends the same exchange on a new connection: called if a reused connection ended before the request was written, or if the
   * request is safe and the connection ended before the first byte of its reply (RFC 9112 section 9.3.1). Absent: the exchange has
   * a new connection.
   */
  readonly resend?: () => Promise<HttpReply>;
}

/** Sends a request, and resolves to its complete, decoded reply. Throws the Problems of `HttpClient.send`. */
export function exchange(dispatcher: Dispatcher, exchanged: Exchange): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const { request, terms } = exchanged;
    dispatcher.dispatch(dispatchOptions(request, terms), new ReplyHandler(exchanged, { resolve, reject }));
  });
}

/** The functions of the Promise of an exchange. */
interface Outcome {
  resolve(reply: HttpReply | Promise<HttpReply>): void;
  reject(error: Error): void;
}

function dispatchOptions(request: HttpRequest, terms: ExchangeTerms): Dispatcher.DispatchOptions {
  const { origin, target } = targetOf(request.url, terms);
  const { method, body = null } = request;
  return { origin, path: target, method, headers: headerLines(request, terms.trace), body };
}

function targetOf(
  url: string,
  { origin: known, absoluteForm = false }: ExchangeTerms,
): { readonly origin: string; readonly target: string } {
  if (known !== undefined) return { origin: known, target: absoluteForm ? url : url.slice(known.length) };
  const { href, origin, hash } = new URL(url);
  // Not built from the parts of the URL, because those do not distinguish "/a?" from "/a".
  return { origin, target: href.slice(absoluteForm ? 0 : origin.length, href.length - hash.length) };
}

/** Returns names and values in turn, and `accept-encoding` unless the request has it. */
function headerLines({ headers }: HttpRequest, trace: TraceHeaders | undefined): string[] {
  const lines: string[] = [];
  let hasCodings = false;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lowerCase = name.toLowerCase();
    if (value === undefined || (trace && isTraceHeader(lowerCase))) continue;
    lines.push(name, value);
    hasCodings ||= lowerCase === 'accept-encoding';
  }
  if (!hasCodings) lines.push('accept-encoding', 'identity');
  if (trace) {
    lines.push('traceparent', trace.traceparent);
    if (trace.tracestate !== undefined) lines.push('tracestate', trace.tracestate);
  }
  return lines;
}

/** Collects the reply to one request. A class for performance, because each call creates one. */
class ReplyHandler implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #accepts: AcceptsCoding;
  readonly #outcome: Outcome;
  #cancelFirstByteTimer: (() => void) | undefined;
  #isWritten = false;
  #isComplete = false;
  #status = 0;
  #headers: ReplyHeaders = {};
  #sink: ByteSink | undefined;
  readonly #memory: ReplyBytes | undefined;
  /** Bytes since the reply last left the event loop to others. */
  #bytesInTurn = 0;

  constructor(exchange: Exchange, outcome: Outcome) {
    const { request, terms } = exchange;
    this.#exchange = exchange;
    this.#accepts = terms.refusesOtherCodings ? requestedCodings(request) : ANY_CODING;
    this.#outcome = outcome;
    this.#memory = terms.memory?.open();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { deadline, limits } = this.#exchange.terms;
    // A request that waited beyond the deadline is dropped here, before any byte is written.
    deadline.onEnd((reason) => {
      controller.abort(reason);
    });
    if (controller.aborted) return;
    this.#isWritten = true;
    deadline.phase = 'waiting for the reply';
    const { firstByteMs } = limits;
    if (firstByteMs === undefined) return;
    // Ends only this exchange; the call may have time for another attempt.
    this.#cancelFirstByteTimer = deadline.after(firstByteMs, () => {
      controller.abort(noFirstByte(firstByteMs));
    });
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    received: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#cancelFirstByteTimer?.();
    const { deadline, limits } = this.#exchange.terms;
    deadline.phase = 'reading the reply';
    this.#status = status;
    this.#headers = Object.assign(Object.create(null) as object, received) as ReplyHeaders;
    const isWithoutBody = this.#exchange.request.method === 'HEAD' || isWithoutContent(status);
    const declared = isWithoutBody ? 0 : declaredLength(this.#headers);
    this.#within(() => {
      this.#sink = new ByteSink({ maxBytes: limits.replyBytes, declared, memory: this.#memory });
    });
    if (!isWithoutContent(status) || !announcesContent(this.#headers)) return;
    // The reply ends with its head, whatever the head announces. undici would wait for the announced length, and bytes that the
    // target sends nevertheless would become the reply to the next request: the connection ends.
    this.onResponseEnd();
    controller.abort(new Error('a reply without content announces content'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { deadline, limits } = this.#exchange.terms;
    this.#within(() => {
      if (this.#sink?.append(chunk) === false) deadline.stop(replyTooLarge(limits.replyBytes));
    });
    this.#bytesInTurn += chunk.length;
    if (this.#bytesInTurn > MAX_BYTES_PER_TURN) this.#continueLater(controller);
  }

  /** Reads on in a later turn of the event loop, which large replies share one after the other. */
  #continueLater(controller: Dispatcher.DispatchController): void {
    this.#bytesInTurn = 0;
    controller.pause();
    void nextTurn().then(() => {
      controller.resume();
    });
  }

  /** Does work that takes memory, and ends the call if the memory is full. */
  #within(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { request, terms } = this.#exchange;
      terms.deadline.stop(afterSending(error, request.method));
    }
  }

  onResponseEnd(): void {
    if (!this.#sink || this.#isComplete) return;
    this.#isComplete = true;
    const reply = { status: this.#status, headers: this.#headers, body: this.#sink.bytes() };
    const { request, terms } = this.#exchange;
    const decoding = { maxBytes: terms.limits.replyBytes, memory: this.#memory, method: request.method };
    this.#outcome.resolve(decodeReply(reply, decoding, this.#accepts));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#cancelFirstByteTimer?.();
    if (this.#isComplete) return;
    this.#memory?.resize(0);
    const { request, terms, resend } = this.#exchange;
    const { deadline, owner } = terms;
    const ended = endedConnectionOf(error);
    if (ended && resend && !deadline.reason && (!this.#isWritten || isSafeReplay(ended, request))) {
      deadline.phase = 'connecting';
      this.#outcome.resolve(resend());
      return;
    }
    const failure = failureOf(error, { phase: deadline.phase, owner, isPlain: isPlainHttp(this.#exchange) });
    const isUnanswered = this.#isWritten && ended?.isUnanswered === true;
    this.#outcome.reject(isUnanswered ? unansweredReuse(failure, owner) : failure);
  }
}

/** Returns true for a request to the target itself over HTTP without TLS. */
function isPlainHttp({ request, terms }: Exchange): boolean {
  return request.url.startsWith('http:') && terms.absoluteForm !== true;
}

/** Returns true for a request that may be sent again although the target may have processed it. */
function isSafeReplay({ isUnanswered }: EndedConnection, { method }: HttpRequest): boolean {
  return isUnanswered && isSafeMethod(method);
}

/** Returns true for a status whose reply ends with its head (RFC 9112 section 6.3). */
export function isWithoutContent(status: number): boolean {
  return status === 204 || status === 304;
}

/** Returns true for a head that announces content, of the reply itself or of a reply to another request (RFC 9110 section 8.6). */
export function announcesContent(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function declaredLength(headers: ReplyHeaders): number | undefined {
  const declared = Number(headers['content-length']);
  return Number.isSafeInteger(declared) && declared >= 0 ? declared : undefined;
}

function noFirstByte(ms: number): Problem {
  return new Problem(
    'upstream_timeout',
    `the target did not begin its reply within ${ms} ms (timeouts.firstByteMs)`,
  );
}
