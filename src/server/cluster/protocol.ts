import type { AuditRecord } from '../../core/audit.js';
import type { Account } from '../../core/login.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import type { RevokedToken } from '../../core/session.js';
import type { LocalIssuerSettings, LogSettings, ServerSettings } from '../../core/settings.js';
import type { TracingSettings } from '../../core/tracing-settings.js';
import type { OverloadReason } from '../../http/overload/overload-detector.js';
import type { GatedEntry } from '../../telemetry/log/batch-writer.js';
import type { PackedConfiguration } from './configuration.js';
import type { Report } from './adapter-stats.js';
import type { ProcessStats } from './process-stats.js';

// What the main process and its call workers say to each other. All of it is plain JSON.

/** What a worker begins with; its configuration comes next. */
export interface WorkerInit {
  readonly configPath: string;
  readonly pluginFolder?: string;
  readonly release: string;
  readonly server: Pick<ServerSettings, 'limits' | 'overload' | 'drainSeconds'>;
  readonly tls?: { readonly cert: string; readonly key: string; readonly hsts?: string | null };
  readonly log: Pick<LogSettings, 'level' | 'file' | 'syslog'>;
  readonly tracing: SerializableTracing;
  /** Absent without a built-in issuer. */
  readonly local?: Pick<LocalIssuerSettings, 'keyFile' | 'tokenTtlSeconds'>;
  /** Where the main process takes what a worker hands on. */
  readonly privateSocket: string;
  /** Processes among which the places of adapters are divided. */
  readonly processes: number;
  readonly ended: readonly RevokedToken[];
  readonly configuration: PackedConfiguration;
}

/** Where spans go, with headers as they are sent. */
export type SerializableTracing = Omit<TracingSettings, 'headers'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** What one turn of a worker's event loop has to tell. */
export interface IpcBatch {
  readonly records?: readonly AuditRecord[];
  readonly answered?: readonly AnsweredRequest[];
  /** Why each call was turned away that was. */
  readonly turnedAway?: readonly OverloadReason[];
  readonly lines?: readonly GatedEntry[];
}

/** A name and a password that somebody gave to a worker. */
export interface Attempt {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  readonly kinds: readonly Account['kind'][];
}

/** Whose they are, or the Problem. */
export type UpgradeDecision =
  | { readonly account: Account }
  | {
      readonly code: ProblemCode;
      readonly detail: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly outcome?: string | undefined;
    };

/** What the main process does for its workers. */
export interface MainRpc {
  /** Takes lines and counts calls; resolves when the records are kept, and rejects when they are not. */
  readonly deliver: (parcel: IpcBatch) => Promise<void>;
  readonly isAuditWritable: (input: null) => Promise<boolean>;
  readonly logIn: (attempt: Attempt) => Promise<UpgradeDecision>;
  /** Reads the secrets of an adapter anew; when it resolves, the workers have what came of it. */
  readonly renew: (adapter: string) => Promise<void>;
  /** Told each second how things stand in a worker. */
  readonly note: (report: Report) => void;
}

/** What a worker does for the main process. */
export interface WorkerRpc {
  /** Resolves when it can serve. */
  readonly begin: (init: WorkerInit) => Promise<void>;
  /** Resolves when every further call sees this configuration. */
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  readonly endTokens: (tokens: readonly RevokedToken[]) => Promise<void>;
  /** Records were lost: until further notice the main process is asked before each action. */
  readonly markAuditSuspect: (input: null) => Promise<void>;
  /** Answered at once by a worker that is well. */
  readonly vitals: (input: null) => Promise<ProcessStats>;
  /** Ends by and by, without a connection that a caller finds closed. */
  readonly retire: (input: null) => Promise<void>;
  /** Takes no more requests, answers those that run, and ends. */
  readonly stop: (input: null) => Promise<void>;
}
