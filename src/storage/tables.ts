import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { AuditRecord } from '../core/audit.js';
import type { DesiredState } from '../core/component.js';
import type { Account, AttemptKind } from '../core/login.js';
import type { ComponentKind } from '../core/platform-state.js';
import type { ActAction, ActTarget, CommitKind, RecordAction, RecordKind } from '../core/record-history.js';
import type { TaskState, TaskView } from '../core/task.js';

/** A 64-bit integer, which the PostgreSQL driver returns as text. */
export type BigInteger = number | string;

/** Tables and columns. Names are camelCase here and snake_case in SQL (Kysely's `CamelCasePlugin`). */
export interface Tables {
  readonly audit: Omit<AuditRecord, 'name' | 'clientAddress' | 'reason'> & {
    /** Null if the name of the caller is the subject, or is not known. */
    readonly name: string | null;
    /** Null if the address of the client is not known. */
    readonly clientAddress: string | null;
    /** Null if no orchestrator gave a reason. */
    readonly reason: string | null;
    readonly id: ColumnType<BigInteger, undefined, never>;
    /** Null, like the next two columns, in records that are older than the chain. */
    readonly seq: ColumnType<BigInteger | null, number, never>;
    readonly prev: string | null;
    readonly hash: string | null;
  };
  /** Single row: the key of the audit chain, and the sequence number and hash of its last record. */
  readonly auditChain: {
    readonly id: number;
    readonly key: string;
    readonly seq: ColumnType<BigInteger, number, BigInteger>;
    readonly hash: string;
  };
  readonly forms: {
    readonly id: string;
    readonly name: string;
    /** Starts at 1 and increases with each update. */
    readonly revision: Generated<number>;
    /** The form as JSON, including id and name. */
    readonly document: string;
  };
  /** Earlier versions of forms. */
  readonly formVersions: {
    readonly formId: string;
    readonly revision: number;
    readonly document: string;
  };
  /** Tasks: questions to people. */
  readonly tasks: {
    readonly id: string;
    readonly view: TaskView;
    readonly status: TaskState;
    /** Starts at 1 and increases with each change. */
    readonly revision: number;
    /** RFC 3339; for a finished task, the time of its decision. */
    readonly lastUpdated: string;
    /** Task head, which lists show, as JSON. */
    readonly head: string;
    /** The complete task as JSON. */
    readonly document: string;
  };
  /** What lists of tasks filter and sort by, apart from the long documents. Missing for tasks of earlier versions. */
  readonly taskAccess: {
    readonly taskId: string;
    /** SHA-256 of the requester; empty for a task of a version that did not store the issuer. */
    readonly owner: string;
    /** SHA-256 of each reader, with a space before and after; `*` for any reader. */
    readonly readers: string;
    readonly bytes: number;
    /** SHA-256 of the assignee; null without one. */
    readonly assignee: string | null;
    /** 1 if the requester may not approve the task. */
    readonly excludesOwner: number | null;
    /** Deadline: RFC 3339, UTC, milliseconds. */
    readonly due: string | null;
  };
  /** Adapters, profiles, access rules and limits that were created through the API. */
  readonly records: {
    readonly kind: RecordKind;
    readonly name: string;
    readonly id: string;
    readonly revision: number;
    /** JSON. */
    readonly document: string;
  };
  /** Versions of the records, including the current ones and those of deleted records. */
  readonly recordVersions: {
    readonly kind: RecordKind;
    readonly name: string;
    readonly revision: number;
    readonly action: RecordAction;
    /** Milliseconds since 1970; null if unknown. */
    readonly at: BigInteger | null;
    /** JSON; null if no caller made the change. */
    readonly author: string | null;
    readonly comment: string | null;
    readonly restores: number | null;
    /** JSON. */
    readonly document: string;
  };
  /** Changes that are undone unless they are confirmed. */
  readonly confirmedCommits: {
    readonly kind: CommitKind;
    readonly name: string;
    readonly at: ColumnType<BigInteger, number, number>;
    readonly until: ColumnType<BigInteger, number, number>;
    readonly author: string | null;
    readonly comment: string | null;
    /** JSON: the document or the active profile to which the change returns. */
    readonly previous: string;
  };
  /** Acts of operators of the last days. */
  readonly operatorActs: {
    /** Revision of the platform state after the act. */
    readonly revision: number;
    readonly at: ColumnType<BigInteger, number, never>;
    readonly kind: ActTarget['kind'];
    readonly name: string;
    readonly action: ActAction;
    readonly author: string | null;
    readonly reason: string | null;
    readonly until: BigInteger | null;
    readonly detail: string | null;
  };
  /** Overrides of components, set by operators. */
  readonly wishes: {
    readonly kind: ComponentKind;
    readonly name: string;
    readonly wanted: DesiredState;
    readonly restarts: number;
    /** JSON: levels by transport, `goBack` for temporary levels, and `request` with who set the state. */
    readonly levels: string;
  };
  /** Single row. */
  readonly platform: {
    /** Increases with each change of records, overrides or the active profile. */
    readonly revision: number;
    readonly activeProfile: string | null;
  };
  readonly sessions: {
    /** `jti` of the token. */
    readonly id: string;
    readonly digest: string;
    readonly account: string;
    readonly kind: Account['kind'];
    readonly shown: string;
    /** Milliseconds since 1970, like all times below. */
    readonly issuedAt: ColumnType<BigInteger, number, never>;
    readonly expiresAt: ColumnType<BigInteger, number, never>;
  };
  readonly endedTokens: {
    /** Increases in the order in which the revocations were committed. */
    readonly seq: ColumnType<BigInteger, undefined, never>;
    readonly digest: string;
    /** Time when the token expires. */
    readonly until: ColumnType<BigInteger, number, never>;
  };
  /** Sessions of browsers that signed in at an identity provider. */
  readonly browserSessions: {
    readonly id: string;
    readonly issuer: string;
    readonly subject: string;
    readonly sid: string | null;
    readonly sealed: string;
    readonly tokenDigest: string;
    readonly tokenUntil: ColumnType<BigInteger, number, number>;
    readonly startedAt: ColumnType<BigInteger, number, never>;
    readonly activeAt: ColumnType<BigInteger, number, number>;
    readonly endsAt: ColumnType<BigInteger, number, never>;
    readonly revision: number;
    /** Time until which one node renews the session; 0 if none does. */
    readonly reservedUntil: ColumnType<BigInteger, number, number>;
  };
  /** Counters of wrong passwords. */
  readonly loginAttempts: {
    readonly kind: AttemptKind;
    readonly name: string;
    readonly count: number;
    /** End of the window. */
    readonly until: ColumnType<BigInteger, number, number>;
  };
  /** Callers of deprecated operations (`DeprecatedCallStore`). */
  readonly deprecatedCalls: {
    readonly operation: string;
    readonly issuer: string;
    readonly caller: string;
    readonly calls: ColumnType<BigInteger, number, number>;
    readonly lastCall: ColumnType<BigInteger, number, number>;
  };
  /** YANG models that schemas refer to (`YangModelStore`). */
  readonly yangModels: {
    readonly digest: string;
    readonly characters: number;
    readonly lastUsed: ColumnType<BigInteger, number, number>;
    readonly archive: string;
  };
  /** Numbers of calls by adapter and time (`TrafficStore`). */
  readonly traffic: {
    /** Length of the cell. */
    readonly seconds: number;
    /** Empty for the sum of all adapters. */
    readonly adapter: string;
    /** Start of the cell, in milliseconds since 1970. */
    readonly at: ColumnType<BigInteger, number, never>;
    readonly calls: number;
    readonly errors: number;
    readonly clientErrors: number;
    readonly maxInFlight: number;
    readonly maxWaiting: number;
    readonly openSeconds: number;
    readonly halfOpenSeconds: number;
    /** Pairs of bucket and calls: `12:3 17:1`. */
    readonly durations: string;
    /** JSON: [name, calls, errors] of each caller. */
    readonly callers: string;
  };
  /** What was sent about a problem to a receiver (`NotificationStore`). */
  readonly notificationStates: {
    readonly receiver: string;
    readonly problem: string;
    readonly firstAt: ColumnType<BigInteger, number, number>;
    readonly sentAt: ColumnType<BigInteger | null, number | null, number | null>;
    readonly missingAt: ColumnType<BigInteger | null, number | null, number | null>;
    /** The problem as JSON. */
    readonly document: string;
  };
  readonly notificationMutes: {
    readonly id: string;
    readonly until: ColumnType<BigInteger, number, never>;
    /** The mute as JSON. */
    readonly document: string;
  };
  readonly problemAcknowledgements: {
    readonly problem: string;
    /** The acknowledgement as JSON. */
    readonly document: string;
  };
  /** Problems that each process of the cluster sees. */
  readonly notificationReports: {
    readonly node: string;
    /** End of the report, by the clock of the database. */
    readonly until: ColumnType<BigInteger, number, number>;
    /** The report as JSON. */
    readonly document: string;
  };
  /** Rates of callers that are not as good as new. */
  readonly limitRates: {
    /** Name of the limit, a blank, and the key of the caller. */
    readonly id: string;
    /** Time at which the full burst is permitted, by the clock of the database, in milliseconds. */
    readonly fullAt: number;
  };
  /** Concurrent calls that nodes may run. */
  readonly limitSlots: {
    readonly id: string;
    readonly node: string;
    readonly held: number;
  };
  /** Nodes that count calls. */
  readonly limitNodes: {
    readonly node: string;
    /** Time after which the node counts no more, by the clock of the database. */
    readonly until: ColumnType<BigInteger, number, number>;
  };
  /** Single row: the process that sends the notifications of the cluster. */
  readonly notificationSender: {
    readonly id: number;
    readonly node: string;
    readonly until: ColumnType<BigInteger, number, never>;
  };
  readonly schemaVersions: {
    readonly version: number;
    readonly name: string;
    /** RFC 3339. */
    readonly appliedAt: string;
  };
}

export type Database = Kysely<Tables>;
export type Write = Transaction<Tables>;
