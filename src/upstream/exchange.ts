import type { Dispatcher } from 'undici';
import type { HttpLimits, HttpReply, HttpRequest, ReplyHeaders } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { createByteSink, type ByteSink } from './body-buffer.js';
import type { Deadline } from './deadline.js';
import { decodeReply, tooLarge } from './decode.js';
import { failureOf } from './failure.js';

/** Largest head of a reply, in bytes. */
export const REPLY_HEAD_BYTES = 65_536;
/** A declared length is believed up to here; beyond it, memory follows the bytes that came. */
const TRUSTED_LENGTH = 65_536;
/** What is made room for when no length is declared. */
const USUAL_LENGTH = 4096;

/** What one exchange must keep to. */
export interface ExchangeTerms {
  readonly limits: Omit<HttpLimits, 'totalMs'>;
  readonly deadline: Deadline;
  /** True where a proxy takes the request, which must be told the whole URL (RFC 9112 section 3.2.2). */
  readonly absoluteForm?: boolean;
}

/** One request and its whole reply, decoded; sent at most once. Throws the Problems of `HttpClient.send`. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  terms: ExchangeTerms,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(dispatchOptions(request, terms), createCollector(terms, { resolve, reject }));
  });
}

function dispatchOptions(
  { url, method, headers, body }: HttpRequest,
  { absoluteForm = false }: ExchangeTerms,
): Dispatcher.DispatchOptions {
  const { href, origin, hash } = new URL(url);
  const lines: string[] = [];
  let hasCodings = false;
  for (const [name, value] of Object.entries(headers)) {
    lines.push(name, value);
    hasCodings ||= name.toLowerCase() === 'accept-encoding';
  }
  if (!hasCodings) lines.push('accept-encoding', 'identity');
  return {
    origin,
    // Not put together from the parts of the URL: those do not tell "/a?" from "/a".
    path: href.slice(absoluteForm ? 0 : origin.length, href.length - hash.length),
    method,
    headers: lines,
    body: body ?? null,
  };
}

interface Outcome {
  readonly resolve: (reply: HttpReply | Promise<HttpReply>) => void;
  readonly reject: (error: Error) => void;
}

function createCollector({ limits, deadline }: ExchangeTerms, outcome: Outcome): Dispatcher.DispatchHandler {
  const { replyBytes } = limits;
  let firstByteCame: () => void = () => undefined;
  let head: { readonly status: number; readonly headers: ReplyHeaders; readonly sink: ByteSink } | undefined;
  return {
    onRequestStart(controller) {
      // A request that waited for its turn past the deadline is dropped here, before a byte of it is written.
      deadline.onEnd((reason) => {
        controller.abort(reason);
      });
      if (controller.aborted) return;
      deadline.phase = 'waiting for the reply';
      const { firstByteMs } = limits;
      if (firstByteMs === undefined) return;
      // Ends this exchange and not the call, which may have time for another try.
      firstByteCame = deadline.after(firstByteMs, () => {
        controller.abort(noFirstByte(firstByteMs));
      });
    },
    onResponseStart(_controller, status, received) {
      if (status < 200) return;
      firstByteCame();
      deadline.phase = 'reading the reply';
      const headers = Object.assign(Object.create(null) as object, received) as ReplyHeaders;
      head = { status, headers, sink: createByteSink(replyBytes, initialBufferSize(headers)) };
    },
    onResponseData(_controller, chunk) {
      if (head?.sink.append(chunk) === false) deadline.stop(tooLarge(replyBytes));
    },
    onResponseEnd() {
      if (!head) return;
      const { status, headers, sink } = head;
      outcome.resolve(decodeReply({ status, headers, body: sink.bytes() }, replyBytes));
    },
    onResponseError(_controller, error) {
      firstByteCame();
      outcome.reject(failureOf(error, deadline.phase));
    },
  };
}

function initialBufferSize(headers: ReplyHeaders): number {
  const declared = Number(headers['content-length']);
  return Number.isSafeInteger(declared) && declared >= 0 ? Math.min(declared, TRUSTED_LENGTH) : USUAL_LENGTH;
}

function noFirstByte(ms: number): Problem {
  return new Problem('upstream_timeout', `the target did not begin its reply within ${ms} ms`);
}
