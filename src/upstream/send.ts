import type { OutboundRequest, UpstreamReply } from '../core/adapter.js';
import type { Problem } from '../core/problem.js';
import type { ReplyMemory } from '../core/reply-memory.js';
import type { CallSpan } from '../core/trace.js';
import type { Deadline } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import type { Settlement } from './settlement.js';

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
  /** Milliseconds that the latest attempt waited for a slot; absent: it did not wait. */
  queuedMs?: number | undefined;
}

/** Sends a call, and never throws. Each policy wraps another function of this type. */
export type Send = (call: UpstreamCall, settlement: Settlement<UpstreamReply>) => void;

/** Sends a call to one base URL. May throw before the request is sent; the settlement is then not used. */
export type SendTo = (call: UpstreamCall, endpoint: Endpoint, settlement: Settlement<UpstreamReply>) => void;

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
