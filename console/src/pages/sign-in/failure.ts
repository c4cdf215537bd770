import { signInSentence } from '../../../../src/core/sign-in.js';
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
