import type { OutboundRequest, UpstreamReply } from '../core/adapter.js';
import type { Problem } from '../core/problem.js';
import type { ReplyMemory } from '../core/reply-memory.js';
import type { CallSpan } from '../core/trace.js';
import type { Deadline } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import type { Credentials } from './login/session.js';

/** A call to an orchestrator, across all its attempts. */
export interface UpstreamCall {
  readonly request: OutboundRequest;
  /** Absolute URL below the first base URL. */
  readonly url: string;
  readonly deadline: Deadline;
  /** Memory of which the reply is reserved; absent for requests that no call causes. */
  readonly memory?: ReplyMemory | undefined;
  /** Span of the caller's request; absent for requests that no call causes. */
  readonly span?: CallSpan | undefined;
  /** Base URLs tried so far. */
  tried: readonly Endpoint[];
  /** Base URL of the latest attempt. */
  endpoint: Endpoint;
  /** Credentials of the latest attempt. */
  credentials: Credentials;
  /** Login for which the latest attempt waits, and which other calls may share; absent: it waits for none. */
  login?: Promise<unknown> | undefined;
  /** Milliseconds that the latest attempt waited for a slot; absent: it did not wait. */
  queuedMs?: number | undefined;
}

/** Sends a call. Rejects with a Problem if it failed. */
export type Send = (call: UpstreamCall) => Promise<UpstreamReply>;

/** One step of a call, which does its work before or after the next step. */
export type Layer = (call: UpstreamCall, next: Send) => Promise<UpstreamReply>;

/** Returns a function that sends calls through the layers, the first of which is the outermost, to `last`. */
export function throughLayers(layers: readonly Layer[], last: Send): Send {
  return layers.reduceRight<Send>((next, layer) => (call) => layer(call, next), last);
}

const NO_CREDENTIALS: Credentials = { headers: {} };
const NO_ENDPOINTS: readonly Endpoint[] = [];

/** Creates a call that has made no attempt. */
export function createCall({
  request,
  url,
  deadline,
  memory,
  span,
  endpoint,
}: Pick<UpstreamCall, 'request' | 'url' | 'deadline' | 'memory' | 'span' | 'endpoint'>): UpstreamCall {
  // Not spread: V8 puts such a copy into the old generation, where it keeps its call until a full collection.
  return {
    request,
    url,
    deadline,
    memory,
    span,
    endpoint,
    tried: NO_ENDPOINTS,
    credentials: NO_CREDENTIALS,
    login: undefined,
    queuedMs: undefined,
  };
}

/** Returns true while no byte of the latest attempt can have been sent: a failed attempt had no effect. */
export function isSafeToRetry({ deadline }: UpstreamCall): boolean {
  return deadline.phase !== 'waiting for the reply' && deadline.phase !== 'reading the reply';
}

/**
 * Returns true for failures of the orchestrator or of the network, as opposed to the caller or this server.
 */
export function isUpstreamFailure({ code, extras }: Problem): boolean {
  return UPSTREAM_FAILURE_CODES.has(code) && extras.isInconclusive !== true;
}

const UPSTREAM_FAILURE_CODES: ReadonlySet<string> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_bad_reply',
  'upstream_failed',
]);
