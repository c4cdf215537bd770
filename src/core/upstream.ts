import type { AccessRule } from './access.js';
import type { OutboundRequest, UpstreamReply } from './adapter.js';
import type { CancelSignal } from './cancel-signal.js';
import type { StreamReply, StreamRequest } from './stream.js';
import type { CallSpan } from './trace.js';

/**
 * Access to one adapter's orchestrator: confines paths, queues, authenticates, sends with a deadline and
 * collects replies up to the limit.
 */
export interface Upstream {
  /**
   * Sends a request. Throws `invalid_path` before anything is sent, `upstream_busy` and `upstream_suspended`
   * if nothing was sent, `upstream_auth` if the login failed, or the Problems of `HttpClient.send`. A request
   * that may change state is sent at most once, or once more after a 401. Each attempt has a span below the
   * span of the call.
   */
  send(request: OutboundRequest, signal: CancelSignal, span?: CallSpan): Promise<UpstreamReply>;
  /**
   * Forwards a request without collecting anything, and resolves when the head of the reply has arrived.
   * Throws the same Problems as `send`. The request is sent once, or once more if it has no body and a 401
   * reports the end of the session. It occupies a slot until its reply has ended. Absent if requests cannot
   * be forwarded.
   */
  readonly pass?: (request: StreamRequest, signal: CancelSignal) => Promise<StreamReply>;
  /** Waits a while for streams to end, then aborts them. */
  close(): Promise<void>;
  /** Access rules; absent or empty: every caller of the operation is admitted. */
  readonly access?: readonly AccessRule[];
  /**
   * Requests the health path of each base URL, bypassing the queue and the breaker, and reports the results
   * to the breaker. Throws the Problem of the last URL if no URL answers below 500 and accepts the
   * credentials. Absent without a health path.
   */
  readonly probe?: (signal: AbortSignal) => Promise<void>;
  /** Returns the current status. */
  readonly status?: () => UpstreamStatus;
}

/** Plain numbers for health pages and metrics; counters start at zero when the upstream is opened. */
export interface UpstreamStatus {
  /** Calls that occupy a slot. */
  readonly inFlight: number;
  /** Calls that wait for a slot. */
  readonly waiting: number;
  /** Calls that were refused a slot, or waited too long for a slot. */
  readonly refused: number;
  /** Number of retries, which are all attempts but the first one of a call. */
  readonly retries: number;
  /** Successful logins, and failed logins. */
  readonly logins: number;
  readonly failedLogins: number;
  /** Connections that calls share, and those that are idle. */
  readonly connections: number;
  readonly idleConnections: number;
  /** Base URLs, in the order of the configuration. */
  readonly baseUrls: readonly BaseUrlStatus[];
  /** Base URL of the latest call; before the first call, that of the next one. */
  readonly current: string;
}

export interface BaseUrlStatus {
  readonly url: string;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Consecutive failures. */
  readonly failures: number;
  readonly inFlight: number;
}
