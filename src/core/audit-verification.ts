import type { CancelSignal } from '../lib/cancel-signal.js';
import type { ChainHead } from './audit.js';

export type BreakKind = 'changed' | 'removed' | 'inserted' | 'torn';

/** The first location at which the trail was changed. */
export interface Break {
  readonly place: string;
  readonly kind: BreakKind;
  readonly message: string;
}

export interface ChainVerification {
  readonly whole: boolean;
  readonly records: number;
  readonly first: number;
  /** The last record. An auditor who saves this value can later prove that the record existed. */
  readonly last: ChainHead;
  /** Number of entries before the chain, which cannot be verified. */
  readonly unchained: number;
  /** Locations of lines that a crash has torn and that a record of the trail reports. */
  readonly torn: readonly string[];
  readonly break?: Break;
  /** The chains of the other processes of the server, which have files of their own; absent without any. */
  readonly others?: readonly (ChainVerification & { readonly file: string })[];
}

export interface VerificationWatch {
  /** Receives the number of entries that were verified so far. */
  readonly onProgress?: (entries: number) => void;
  /** Ends the verification, which then throws. */
  readonly signal?: CancelSignal;
}

/** Verifications of the audit trail, one at a time. */
export interface AuditVerifications {
  /** Starts a verification; returns false if one is running. */
  readonly start: () => boolean;
  readonly state: () => Promise<VerificationState>;
}

/** The verification that is running, and the result of the last one. */
export interface VerificationState {
  readonly running?: { readonly startedAt: number; readonly entries: number };
  readonly last?: VerificationResult;
}

/** Result of a verification, as its audit record has it. */
export interface VerificationResult {
  /** Time of the result, in milliseconds since 1970. */
  readonly at: number;
  readonly isIntact: boolean;
  /** First and last record of an intact chain; absent without records. */
  readonly first?: number;
  readonly last?: number;
  /** The result in one sentence: the first break, or why the verification failed. */
  readonly outcome: string;
}
