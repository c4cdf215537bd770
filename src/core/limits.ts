import type { FromSchema } from '../settings/from-schema.js';
import type { limitsSchema } from '../settings/limits.js';
import type { Principal } from './principal.js';

/** The setting `limits`: rules by name. */
export type LimitSettings = FromSchema<typeof limitsSchema>;

/** One limit of the setting `limits`. */
export type LimitRule = LimitSettings[string];

export interface LimitedCaller {
  /** Absent for a caller without a token, who is counted by address. */
  readonly principal?: Pick<Principal, 'subject' | 'issuer' | 'name' | 'client' | 'roles'> | undefined;
  /** Address of the client, behind trusted proxies. */
  readonly address: string;
}

export interface LimitedCall extends LimitedCaller {
  /** Names of the operation, `<application>.<id>`, and of the operations that it uses. */
  readonly operations: readonly string[];
  /** True for an operation of monitors, limits or access rules, which only an exact name limits. */
  readonly isMonitoring: boolean;
  /** The adapterId; empty for a call without an adapter. */
  readonly adapter: string;
}

/** An admitted or refused call, as plain JSON. */
export interface LimitDecision {
  /** True if the call counts until its end, because a limit of concurrent calls applies. */
  readonly isRunning: boolean;
  /** Headers `RateLimit` and `RateLimit-Policy` of the reply (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the call is refused; absent for an admitted call. */
  readonly refusal?: LimitRefusal;
}

/** Why a call is refused. */
export interface LimitRefusal {
  readonly limit: string;
  readonly detail: string;
  /** Seconds after which the call may succeed. */
  readonly retryAfterSeconds: number;
}

export interface LimitedAdmission extends LimitDecision {
  /** Ends the call for limits of concurrent calls. Later calls do nothing. */
  readonly end: () => void;
}

/**
 * Counts a call for every limit that applies. Returns undefined if no limit applies. A refused call has a
 * `refusal` and counts for no limit.
 */
export type AdmitCall = (
  call: LimitedCall,
) => LimitedAdmission | undefined | Promise<LimitedAdmission | undefined>;

/** State of one caller at one limit. */
export interface LimitUsage {
  readonly limit: string;
  /** Subject, client, role or address. */
  readonly caller: string;
  /** Issuer of the subject or client; empty for a role or an address. */
  readonly issuer: string;
  /** Calls that are permitted now; null if the rate is not limited. */
  readonly remaining: number | null;
  /** Calls that run now. */
  readonly running: number;
  /** Refused calls since the caller was first counted. */
  readonly refused: number;
  /** Used part of the limit that is used most, in percent. */
  readonly usedPercent: number;
}

export interface LimitStatus {
  readonly limits: readonly LimitView[];
  /** The callers that are nearest to a limit, the nearest first. */
  readonly callers: readonly LimitUsage[];
  /** How the counts are shared: `process`, `cluster`, or `share` while the database of a cluster is away. */
  readonly shared: 'process' | 'cluster' | 'share';
}

/** One configured limit and its counts. */
export interface LimitView extends LimitRule {
  readonly name: string;
  readonly callers: number;
  /** Refused calls since the start of the process. */
  readonly refused: number;
}

/** Number of calls at once that a rule permits. */
export function burstOf({ burst, requests }: LimitRule): number {
  return burst ?? requests ?? 0;
}
