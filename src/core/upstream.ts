import type { AccessRule } from './access.js';
import type { OutboundRequest, UpstreamReply } from './adapter.js';
import type { CancelSignal } from './cancel-signal.js';
import type { StreamReply, StreamRequest } from './stream.js';
import type { CallSpan } from './trace.js';

/** The way to one adapter's orchestrator: confines, queues, authenticates, sends under a deadline, collects up to the limit. */
export interface Upstream {
  /**
   * Throws `invalid_path` before anything is sent, `upstream_busy` and `upstream_suspended` when nothing was sent,
   * `upstream_auth` when it could not log in, or the Problems of `HttpClient.send`. What may change state is sent at
   * most once, or once more after a 401. Each try is a span of the call on whose behalf it is made.
   */
  send(request: OutboundRequest, signal: CancelSignal, span?: CallSpan): Promise<UpstreamReply>;
  /**
   * Passes a request on without collecting anything, and resolves when the head of the reply has come; Problems as for
   * `send`. It is sent once, or once more after a 401 that told of a session's end, when it has no body. It holds a place
   * until its reply has ended. Absent where there is nothing to pass anything on to.
   */
  readonly pass?: (request: StreamRequest, signal: CancelSignal) => Promise<StreamReply>;
  /** Lets streams end for a while; then breaks them off. */
  close(): Promise<void>;
  /** Who may call what; absent or empty: whoever may use the operation. */
  readonly access?: readonly AccessRule[];
  /**
   * Asks each base URL for the health path, past the queue and the breaker, and tells the breaker what came. Throws the
   * Problem of the last one when none answers below 500 and accepts the credentials. Absent without a health path.
   */
  readonly probe?: (signal: AbortSignal) => Promise<void>;
  /** What goes on just now. */
  readonly status?: () => UpstreamStatus;
}

/** Plain numbers for health pages and metrics; counters count from the opening. */
export interface UpstreamStatus {
  /** Calls that hold a place. */
  readonly inFlight: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /** Calls that were refused a place, or waited for it too long. */
  readonly refused: number;
  /** Tries after the first of a call. */
  readonly retries: number;
  /** Logins that succeeded, and those that did not. */
  readonly logins: number;
  readonly failedLogins: number;
  /** Connections that calls share, and those among them that no call uses just now. */
  readonly connections: number;
  readonly idleConnections: number;
  /** In the order of the configuration. */
  readonly baseUrls: readonly BaseUrlStatus[];
  /** Base URL of the latest call; that of the next one while there was none. */
  readonly current: string;
}

export interface BaseUrlStatus {
  readonly url: string;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Failures in a row. */
  readonly failures: number;
  readonly inFlight: number;
}
