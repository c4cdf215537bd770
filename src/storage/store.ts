import type { AuditStore } from '../core/audit-trail.js';
import type { AuditRecord } from '../core/audit.js';
import type { BrowserSessionStore } from '../core/browser-session.js';
import type { FormStore } from '../core/form.js';
import type { AttemptStore } from '../core/login.js';
import type { SubscribeClusterChanges } from '../core/cluster-events.js';
import type { PlatformStore } from '../core/platform-state.js';
import type { SessionStore } from '../core/session.js';
import type { TaskStore } from '../core/task.js';
import type { TrafficStore } from '../core/traffic.js';

/** Number of connections to the database, by state. */
export interface PoolStatus {
  readonly open: number;
  /** Connections that no operation uses. */
  readonly idle: number;
  /** Operations that wait for a connection. */
  readonly waiting: number;
}

/** Persistent storage. A write survives a crash and a power failure once it has resolved. */
export interface Store {
  readonly audit: AuditStore;
  /** Returns the latest audit records, newest first. */
  recentAudit(limit: number): Promise<readonly AuditRecord[]>;
  readonly forms: FormStore;
  readonly tasks: TaskStore;
  readonly platform: PlatformStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessionStore;
  readonly attempts: AttemptStore;
  readonly traffic: TrafficStore;
  /** Returns the current status of the connection pool; undefined for a database without a pool. */
  readonly pool: () => PoolStatus | undefined;
  /** Subscribes to changes by other nodes; undefined for a database that only this node uses. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  close(): Promise<void>;
}
