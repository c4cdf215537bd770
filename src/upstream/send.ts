import type { OutboundRequest, UpstreamReply } from '../core/adapter.js';
import type { Problem } from '../core/problem.js';
import type { RequestTracer } from '../core/trace.js';
import type { Deadline } from './deadline.js';
import type { Endpoint } from './endpoint.js';

/** One call on its way out, through all its tries. */
export interface UpstreamCall {
  readonly request: OutboundRequest;
  /** Absolute URL below the first base URL. */
  readonly url: string;
  readonly deadline: Deadline;
  /** On whose behalf it is sent; absent: nobody's. */
  readonly span?: RequestTracer | undefined;
  /** Where it was sent to so far. */
  readonly tried: Endpoint[];
}

/**
 * Sends a call. The policies are functions from one of these to another: each does its part and leaves the rest to the
 * next one.
 */
export type Send = (call: UpstreamCall) => Promise<UpstreamReply>;

/** Sends a call to one base URL. */
export type SendTo = (call: UpstreamCall, endpoint: Endpoint) => Promise<UpstreamReply>;

/** True while no byte of the call's latest try can have left: what failed then was not done. */
export function isSafeToRetry({ deadline }: UpstreamCall): boolean {
  return deadline.phase !== 'waiting for the reply' && deadline.phase !== 'reading the reply';
}

/** True for failures of the orchestrator and of the way to it, as opposed to those of the caller and of the host. */
export function isUpstreamFailure({ code }: Problem): boolean {
  return OUTAGES.has(code);
}

const OUTAGES: ReadonlySet<string> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_bad_reply',
  'upstream_failed',
]);
