import type { CommunityAdapter } from './community-adapter.js';
import type { GenericOutcome, MethodRequest } from './messages.js';
import { outcomeOf } from './outcome.js';

/**
 * Members of a result that repeat the request of the adapter, with its credentials. `requestCookie` is a cookie of the adapter's
 * session.
 */
const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['reqHdr', 'request', 'requestCookie']);

/**
 * Calls a method of the adapter, whose last argument is the function that it calls back. Passes on the first outcome, because an
 * adapter may call back several times.
 */
export function runMethod(
  adapter: CommunityAdapter,
  { method, args }: MethodRequest,
  settle: (outcome: GenericOutcome) => void,
): void {
  let answered = false;
  const answer = (result: unknown, error?: unknown): void => {
    if (answered) return;
    answered = true;
    settle(methodOutcome(result, error));
  };
  const fail = (error: unknown): void => {
    answer(null, error);
  };
  try {
    const { [method]: implementation } = adapter as unknown as Readonly<Record<string, unknown>>;
    if (typeof implementation !== 'function')
      throw new Error(`pronghorn.json names the method ${method}, but the adapter has no such function`);
    const returned: unknown = Reflect.apply(implementation, adapter, [...args, answer]);
    // The result of a promise is not read: the adapter calls back.
    if (returned instanceof Promise) returned.catch(fail);
  } catch (error) {
    fail(error);
  }
}

function methodOutcome(result: unknown, error: unknown): GenericOutcome {
  if (error !== undefined && error !== null) return outcomeOf(null, error);
  try {
    // A result of undefined has no JSON form.
    return { kind: 'result', json: JSON.stringify(withoutRequest(result) ?? null) };
  } catch {
    // For example, a circular result.
    return { kind: 'error', icode: 'AD.999', message: 'the method gave a result that is not JSON' };
  }
}

/** Returns a result without the credentials that the adapter sent, and without the cookies that it received. */
function withoutRequest(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const members = Object.entries(result)
    .filter(([name]) => !REQUEST_MEMBERS.has(name))
    .map(([name, value]: [string, unknown]) => [name, name === 'headers' ? withoutCookies(value) : value]);
  return Object.fromEntries(members);
}

function withoutCookies(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'set-cookie'));
}
