import type { LocatedFault } from './fault.js';

/** A reason why gatehouse refuses tokens or sign-ins of an issuer, found by asking the issuer. */
export interface IssuerFinding extends LocatedFault {
  /** Present if tokens and sign-ins work nevertheless. */
  readonly isWarning?: true;
}

export interface IssuerCheckOptions {
  /**
   * True also tries the client of the sign-in: its redirect URI and its secret. The issuer may record both
   * attempts as failed sign-ins.
   */
  readonly triesClient?: boolean;
  readonly signal?: AbortSignal;
}

/** A check of one configured issuer that publishes its keys. */
export interface IssuerCheck {
  readonly issuer: string;
  /** Asks the issuer. Pointers are relative to the key `auth`. Never rejects. */
  run(options?: IssuerCheckOptions): Promise<readonly IssuerFinding[]>;
}

/** The result of the latest check of an issuer. */
export interface IssuerState {
  readonly issuer: string;
  /** `unknown` before the first check has ended. */
  readonly state: 'unknown' | 'running' | 'failed';
  /** First reason of a failure; absent if there is none. */
  readonly reason?: string;
}
