import type { AuditStore } from '../domain/audit-store.js';
import type { AuditRecord } from '../domain/audit.js';
import type { FormStore } from '../domain/form.js';
import type { AttemptStore } from '../domain/login-attempts.js';
import type { SubscribeClusterChanges } from '../domain/peer-news.js';
import type { PlatformStore } from '../domain/platform-state.js';
import type { SessionStore } from '../domain/session.js';
import type { TaskStore } from '../domain/task.js';

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
