import type { AuditRecord } from '../core/audit.js';
import type { BrowserSessionStore } from '../core/browser-session.js';
import type { PeerQuestions, SubscribeClusterChanges } from '../core/cluster-events.js';
import type { AttemptStore } from '../core/login.js';
import type { PlatformStore } from '../core/platform-state.js';
import type { SessionStore } from '../core/session.js';
import type { PoolStatus } from '../storage/postgres.js';
import type { AuditStore } from './audit/audit-trail.js';
import type { FormStore } from './forms/form-store.js';
import type { DeprecatedCallStore } from './legacy/deprecated-calls.js';
import type { LimitCountStore } from './limits/limit-counts.js';
import type { NotificationStore } from './notifications/notification.js';
import type { TaskStore } from './tasks/task.js';
import type { TrafficStore } from './traffic/traffic.js';
import type { YangModelStore } from './yang-forms/store.js';

/** Persistent storage. A write survives a crash and a power failure once it has resolved. */
export interface Store {
  readonly audit: AuditStore;
  /** Returns the latest audit records, newest first. */
  recentAudit(limit: number): Promise<readonly AuditRecord[]>;
  /** Rejects with `store_full` from a write that found the database full until there is space. */
  requireSpace(): Promise<void>;
  readonly forms: FormStore;
  readonly tasks: TaskStore;
  readonly platform: PlatformStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessionStore;
  readonly attempts: AttemptStore;
  readonly traffic: TrafficStore;
  readonly deprecatedCalls: DeprecatedCallStore;
  readonly notifications: NotificationStore;
  /** Counts of limits; undefined for a database that only this node uses. */
  readonly limitCounts: LimitCountStore | undefined;
  readonly yangModels: YangModelStore;
  /** Returns the current status of the connection pool; undefined for a database without a pool. */
  readonly pool: () => PoolStatus | undefined;
  /** Subscribes to changes by other nodes; undefined for a database that only this node uses. */
  readonly subscribeClusterChanges: SubscribeClusterChanges | undefined;
  /**
   * Questions to other nodes, which are heard while this node subscribes to their changes; undefined for a database that
   * only this node uses.
   */
  readonly peers: PeerQuestions | undefined;
  close(): Promise<void>;
}
