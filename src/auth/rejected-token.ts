import type { CallerIdentity } from '../core/principal.js';
import { Problem } from '../core/problem.js';

/**
 * Classes of rejected tokens, with the text for the caller. The texts name only what the token itself shows, so that
 * they reveal nothing about the server.
 */
const DESCRIPTIONS = {
  malformed: 'The token is malformed',
  too_long: 'The token is too long',
  type: 'The token is not an access token',
  bound: 'The token is bound to a key of the client',
  issuer: 'The issuer of the token is not accepted',
  audience: 'The token is for another audience',
  expired: 'The token expired',
  not_active: 'The token is not valid yet',
  lifetime: 'The lifetime of the token is too long',
  signature: 'The signature of the token is not valid',
  claims: 'A claim of the token is missing or not accepted',
  revoked: 'The token was revoked',
} as const;

export type RejectionClass = keyof typeof DESCRIPTIONS;

/** A token that is not accepted. The message is the reason for the log, and contains no text of the token. */
export class RejectedToken extends Error {
  readonly rejection: RejectionClass;
  /** The caller whom the token names; present only if the signature of the token is valid. */
  readonly caller: CallerIdentity | undefined;

  constructor(rejection: RejectionClass, message: string, caller?: CallerIdentity) {
    super(message);
    this.name = 'RejectedToken';
    this.rejection = rejection;
    this.caller = caller;
  }
}

/**
 * Returns a reason with the caller of a token whose signature is valid. A reason without a class gets the class
 * `claims`.
 */
export function rejectionOf(reason: unknown, caller: CallerIdentity): RejectedToken {
  const rejection = reason instanceof RejectedToken ? reason.rejection : 'claims';
  const message = reason instanceof Error ? reason.message : 'unknown';
  return new RejectedToken(rejection, message, rejection === 'signature' ? undefined : caller);
}

/**
 * Creates the Problem for a request without usable credentials. The Problem is always the same, so that it
 * reveals nothing to a caller; `cause` is for the log.
 */
export function unauthorized(cause: unknown): Problem {
  return challengeProblem(cause, 'Bearer');
}

/**
 * Creates the Problem for a rejected token. The challenge (RFC 6750 section 3) contains the class of the reason;
 * `cause` is the reason for the log. A reason without a class is `malformed`.
 */
export function invalidToken(cause: unknown): Problem {
  const rejection = cause instanceof RejectedToken ? cause.rejection : 'malformed';
  const description = DESCRIPTIONS[rejection];
  return challengeProblem(cause, `Bearer error="invalid_token", error_description="${description}"`);
}

function challengeProblem(cause: unknown, challenge: string): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': challenge },
  });
}
