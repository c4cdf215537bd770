import type { SignInProblem } from '../../../../src/core/sign-in.js';
import type { ReturnLocation } from './return-path.js';

/** A failed sign-in, as the page shows it. */
interface ShownFailure {
  readonly sentence: string;
  /** Id of the failed request; absent if the address has none. */
  readonly requestId?: string;
}

const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the failure that the address of the sign-in page names; `undefined` without one. Anybody can write
 * such an address, so the sentence comes from a fixed list, and a request id is shown only if it is a UUID.
 */
export function failureIn({ search }: Pick<ReturnLocation, 'search'>): ShownFailure | undefined {
  const query = new URLSearchParams(search);
  const problem = query.get('problem');
  if (problem === null) return undefined;
  const requestId = query.get('request') ?? '';
  return { sentence: signInSentence(problem), ...(REQUEST_ID.test(requestId) && { requestId }) };
}

/** What the sign-in page says about a failure. The page shows no other text of its address. */
export const SIGN_IN_SENTENCES: Readonly<Record<SignInProblem, string>> = {
  issuer_unknown: 'This server has no sign-in with this identity provider.',
  issuer_unavailable: 'The identity provider does not answer. Try again in a moment.',
  issuer_mismatch: 'Another identity provider answered than the one that was asked. Sign in again.',
  state_mismatch: 'This sign-in was not started in this browser, took too long or is over. Sign in again.',
  denied: 'The identity provider did not allow the sign-in.',
  not_accepted:
    'The identity provider signed you in, but this server does not accept its answer. Ask an operator.',
  token_too_long: 'The token of the identity provider is too long for a cookie. Ask an operator.',
  too_many_requests: 'Too many sign-ins from your address failed. Wait 15 minutes, then try again.',
};

/** Returns the sentence for a problem in the address of the sign-in page, and a general one for any other text. */
function signInSentence(problem: string): string {
  return Object.hasOwn(SIGN_IN_SENTENCES, problem)
    ? SIGN_IN_SENTENCES[problem as SignInProblem]
    : 'The sign-in failed. Try again.';
}
