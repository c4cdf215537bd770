import type { AuditRecord } from '../../core/audit.js';
import type { Account } from '../../core/login.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import type { ProblemHeaders } from '../../core/problem.js';
import type { CacheChange } from '../../core/read-cache.js';
import type { RevokedToken } from '../../core/session.js';
import type { AdmissionRpc } from '../../features/limits/worker-admissions.js';
import type { OverloadReason } from '../../http/overload/overload-detector.js';
import type { LogSettings } from '../../settings/log.js';
import type { TracingSettings } from '../../settings/otlp.js';
import type { LocalIssuerSettings, ServerSettings } from '../../settings/settings.js';
import type { GatedEntry } from '../../telemetry/log/line.js';
import type { PackedConfiguration } from './configuration.js';
import type { PackedListenerTls } from './pack-listener-tls.js';
import type { ProcessStats, WorkerReport } from './worker-stats.js';

// The messages between the main process and its call workers. All values are plain JSON.

/** Input of a new worker. Sections of the settings have all their keys; those with secrets are empty. */
export interface WorkerInit {
  readonly configPath: string;
  readonly pluginFolder?: string;
  readonly release: string;
  /** The section `server`, with a share of its limits, and without `tls`. */
  readonly server: ServerSettings;
  /** Absent for plain HTTP. */
  readonly tls?: PackedListenerTls;
  /** Number of the worker, from 0. */
  readonly worker: number;
  readonly log: LogSettings;
  readonly tracing: SerializableTracing;
  /** Absent if the built-in issuer is disabled. Without accounts, which the main process checks. */
  readonly local?: LocalIssuerSettings;
  /** Path of the socket at which the main process accepts forwarded requests. */
  readonly privateSocket: string;
  /** Number of processes that share the limits of each adapter. */
  readonly processes: number;
  readonly revokedTokens: readonly RevokedToken[];
  readonly configuration: PackedConfiguration;
}

/** Settings of the span export, with the headers in plain text. */
export type SerializableTracing = Omit<TracingSettings, 'headers'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Messages of a worker that are delivered together. */
export interface IpcBatch {
  readonly records?: readonly AuditRecord[];
  readonly answered?: readonly AnsweredRequest[];
  /** One reason for each call that was refused under overload. */
  readonly overloads?: readonly OverloadReason[];
  readonly lines?: readonly GatedEntry[];
}

/** A login attempt at a worker. */
export interface LoginRequest {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  readonly kinds: readonly Account['kind'][];
}

/** The account of a login, or the Problem that refuses it. */
export type LoginResult =
  | { readonly account: Account }
  | {
      readonly code: ProblemCode;
      readonly detail: string;
      readonly headers?: ProblemHeaders | undefined;
      readonly outcome?: string | undefined;
    };

/** Functions that workers call in the main process. */
export interface MainRpc extends AdmissionRpc {
  /** Writes lines and counts calls. Resolves when the audit records are stored, and rejects if they are not. */
  readonly deliverBatch: (batch: IpcBatch) => Promise<void>;
  readonly isAuditWritable: (input: null) => Promise<boolean>;
  /** Reserves room for audit records of the worker until it ends; resolves to false without room. */
  readonly leaseAuditRoom: (bytes: number) => Promise<boolean>;
  readonly logIn: (request: LoginRequest) => Promise<LoginResult>;
  /** Reads the secrets of an adapter again. Resolves when all workers have applied the result. */
  readonly renew: (adapter: string) => Promise<void>;
  /** Passes a change at an orchestrator on to all other processes and nodes. Resolves when they know it. */
  readonly reportCacheChange: (change: CacheChange) => Promise<void>;
  /** Receives the statistics of a worker every second. */
  readonly report: (report: WorkerReport) => void;
}

/** Functions that the main process calls in a worker. */
export interface WorkerRpc {
  /** Resolves when the worker can serve. */
  readonly initialize: (init: WorkerInit) => Promise<void>;
  /** Resolves when every new call uses this configuration. */
  readonly applySnapshot: (configuration: PackedConfiguration) => Promise<void>;
  readonly revokeTokens: (tokens: readonly RevokedToken[]) => Promise<void>;
  /** Removes the replies from the caches of a worker that a change concerns. */
  readonly applyCacheChange: (change: CacheChange) => Promise<void>;
  /** Uses another certificate for new connections. */
  readonly replaceTls: (tls: PackedListenerTls) => Promise<void>;
  /** Reports that audit records were lost. The worker asks the main process before each action until the trail is writable. */
  readonly markAuditSuspect: (input: null) => Promise<void>;
  /** Returns statistics of the process. A healthy worker replies at once. */
  readonly readStats: (input: null) => Promise<ProcessStats>;
  /** Ends each connection with its next response, while new connections are still accepted. */
  readonly endKeepAlive: (input: null) => Promise<void>;
  /** Ends the worker gracefully: callers find no connection closed. */
  readonly retire: (input: null) => Promise<void>;
  /** Refuses new requests, answers the running requests, and ends. */
  readonly stop: (input: null) => Promise<void>;
}
