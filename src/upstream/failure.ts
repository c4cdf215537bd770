import { Problem, type ProblemExtras } from '../core/problem.js';
import { errorCodeOf, proxyFailure, transportFailureOf } from '../core/transport-failure.js';
import type { Phase } from './deadline.js';
import { adviceFor, EXPECTS_TLS, type TargetOwner } from './target-advice.js';

const BAD_REPLY: Readonly<Record<string, string>> = {
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply is not as long as its Content-Length says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too large',
  HPE_HEADER_OVERFLOW: 'the headers of the reply are too large',
  ERR_ASSERTION: 'the reply breaks the rules of HTTP',
};

/** Circumstances of a failed request. */
interface FailedRequest {
  readonly phase: Phase;
  /** Absent for a target that has settings of another kind, for example Vault; the Problem then has no advice. */
  readonly owner?: TargetOwner | undefined;
  /** True if the request was sent to the target over plain HTTP. */
  readonly isPlain?: boolean;
}

/**
 * Returns the Problem for an error of the network, of TLS or of the HTTP parser: `upstream_unreachable` or
 * `upstream_bad_reply`. It advises by the cause. Any other error is a bug and is returned unchanged.
 */
export function failureOf(error: unknown, { phase, owner, isPlain = false }: FailedRequest): Error {
  if (!(error instanceof Error))
    return new Error('a value that is not an Error was thrown', { cause: error });
  if (error instanceof Problem) return error;
  const code = errorCodeOf(error);
  const cause = sanitizedCause(code, error);
  const expectsTls = isPlain && phase === 'waiting for the reply' ? tlsExpected(owner) : {};
  const badReplyDetail = badReply(code, error);
  if (badReplyDetail) return new Problem('upstream_bad_reply', badReplyDetail, { cause, ...expectsTls });
  if (isClosed(code, error.message)) return connectionClosed(phase, { cause, ...expectsTls });
  const failed = transportFailureOf(error);
  if (!failed) return error;
  const { hop, words } = failed;
  const advice = owner && adviceFor(failed, owner);
  return new Problem('upstream_unreachable', words, { cause, hop, ...(advice !== undefined && { advice }) });
}

/**
 * Returns the Problem for a request that changes something, after a reused connection has ended without a reply. Targets end
 * idle connections that way, so that the Problem says nothing about their health.
 */
export function unansweredReuse({ cause }: Error, owner: TargetOwner | undefined): Problem {
  return new Problem(
    'upstream_unreachable',
    'the target closed a connection that had been used before, and sent no reply: whether it processed the request is unknown',
    { cause, isInconclusive: true, ...(owner === 'adapter' && { advice: REUSE_ADVICE }) },
  );
}

const REUSE_ADVICE =
  'Check whether the change is made before you repeat it. Ask the operator to set reuseConnections to false for this adapter if this happens again.';

/** Returns the advice for a target that ends a plain connection without a valid reply. */
function tlsExpected(owner: TargetOwner | undefined): ProblemExtras {
  return owner === undefined ? {} : { advice: EXPECTS_TLS[owner] };
}

/** Returns the Problem of a connection to the proxy that failed; `undefined` for an error of any other kind. */
export function proxyFailureOf(error: Error): Problem | undefined {
  const failed = proxyFailure(error);
  return failed && proxyProblem(failed.words, PROXY_ADVICE, sanitizedCause(failed.code, error));
}

/** Returns the Problem of a proxy that opens no tunnel, for example because it "answered with status 403". */
export function proxyRefusal(reason: string): Problem {
  return proxyProblem(`the proxy ${reason}, so the target is unreachable`, TUNNEL_ADVICE);
}

function proxyProblem(words: string, advice: string, cause?: Error): Problem {
  return new Problem('upstream_unreachable', words, { hop: 'proxy', advice, ...(cause && { cause }) });
}

const PROXY_ADVICE = 'Ask the operator to correct the setting "proxy", or to start the proxy.';
const TUNNEL_ADVICE = 'Ask the operator to correct the setting "proxy", or to allow the target at the proxy.';

/**
 * Copies only the code and the message: parser errors contain bytes of the reply, and TLS errors the
 * certificate, which must not be logged.
 */
function sanitizedCause(code: string, error: Error): Error {
  return new Error(`${code}: ${error.message}`);
}

function badReply(code: string, { name, message }: Error): string | undefined {
  if (code === 'UND_ERR_SOCKET' && message === 'bad response')
    return 'the target sent a reply without a request';
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade')
    return 'the target switched the protocol without a request for it';
  // The parser reports the expected token in fixed words, without any bytes of the input.
  if (name === 'HTTPParserError')
    return `the reply is not valid HTTP/1.1${/ \(.+\)$/.exec(message)?.[0] ?? ''}`;
  // Node's own parser, whose error code names the fault.
  if (code.startsWith('HPE_')) return BAD_REPLY[code] ?? `the reply is not valid HTTP/1.1 (${code})`;
  return BAD_REPLY[code];
}

function isClosed(code: string, message: string): boolean {
  const isClosedMessage = message === 'other side closed' || message === 'closed' || message === 'destroyed';
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && isClosedMessage);
}

function connectionClosed(phase: Phase, extras: ProblemExtras): Problem {
  if (phase === 'reading the reply')
    return new Problem('upstream_bad_reply', 'the reply was cut short', extras);
  const when = phase === 'connecting' ? 'while connecting' : 'without an answer';
  return new Problem('upstream_unreachable', `the target closed the connection ${when}`, extras);
}
