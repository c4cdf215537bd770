import type { SecretVersion } from '../core/attempt.js';
import type { Log } from '../core/log.js';
import type { Redact } from '../core/secret.js';
import type { RequestTracer } from '../core/trace.js';
import type { Scheduler } from '../lib/clock.js';
import type { InspectConnection } from './connect.js';

/** Optional dependencies, for production wiring and for tests. */
export interface UpstreamOptions {
  /** Absent: a monotonic clock, because breakers and sessions depend on durations. */
  readonly scheduler?: Scheduler;
  /** Returns a number from 0 up to 1; absent: `Math.random`. */
  readonly random?: () => number;
  readonly log?: Log;
  /**
   * Called with each token and cookie of a login before its first use; the returned function is called when
   * the value is no longer used.
   */
  readonly onSecret?: (value: string) => () => void;
  /** Removes further secrets from recordings, in addition to the adapter's own. */
  readonly redact?: Redact;
  /** Starts traces for requests that no call causes; absent: those requests are not traced. */
  readonly tracer?: RequestTracer;
  /** Maximum duration of streams after `close`, in milliseconds; absent: 30 seconds. */
  readonly drainMs?: number;
  /** Versions of the secrets of the authentication, which each attempt records. */
  readonly secretVersions?: readonly SecretVersion[] | undefined;
  /** Checks each connection of the adapter; absent: none is checked. */
  readonly inspect?: InspectConnection | undefined;
}
