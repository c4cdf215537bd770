import type { AuditStore } from '../core/audit-store.js';
import type { AuditRecord } from '../core/audit.js';
import type { FormStore } from '../core/form.js';
import type { AttemptStore } from '../core/login-attempts.js';
import type { SubscribeClusterChanges } from '../core/cluster-events.js';
import type { PlatformStore } from '../core/platform-state.js';
import type { SessionStore } from '../core/session.js';
import type { TaskStore } from '../core/task.js';

/** How many connections to the database there are. */
export interface PoolStatus {
  readonly open: number;
  /** Those of them that nobody uses. */
  readonly idle: number;
  /** Work that waits for one. */
  readonly waiting: number;
}

/** What the process keeps. Every write that resolves survives a crash and a power failure. */
export interface Store {
  readonly audit: AuditStore;
  /** The last audit records, newest first. */
  recentAudit(limit: number): Promise<readonly AuditRecord[]>;
  readonly forms: FormStore;
  readonly tasks: TaskStore;
  readonly platform: PlatformStore;
  readonly sessions: SessionStore;
  readonly attempts: AttemptStore;
  /** Its connections, as they stand now; undefined where it has one alone. */
  readonly pool: () => PoolStatus | undefined;
  /** Hears of what other nodes change; undefined for a database that this node has to itself. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  close(): Promise<void>;
}
