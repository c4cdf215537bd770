import { isJsonObject } from '../../src/json/json-object.js';
import type { CommunityAdapter } from './community-adapter.js';
import type { GenericOutcome, MethodRequest } from './messages.js';
import { originalText } from './original-text.js';
import { outcomeOf } from './outcome.js';
import { withoutRequest } from './without-request.js';

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
    return {
      kind: 'result',
      json: jsonOf(withoutRequest(result)),
      ...(isReply(result) && { isReply: true }),
    };
  } catch {
    // For example, a circular result.
    return { kind: 'error', icode: 'AD.999', message: 'the method gave a result that is not JSON' };
  }
}

/** Returns true for a reply of the library, whose code has the status of the orchestrator; a method may give results without a request. */
function isReply(result: unknown): boolean {
  return isJsonObject(result) && typeof result['icode'] === 'string' && /^AD\.\d{3}$/.test(result['icode']);
}

/**
 * Returns the JSON of a result. If the adapter returns the reply of the orchestrator unchanged, the text of the reply (the
 * member `raw`, because the host sets `request.return_raw`) takes the place of `response`, so that no number loses a digit.
 */
function jsonOf(result: unknown): string {
  // A result of undefined has no JSON form.
  if (!isJsonObject(result) || typeof result['raw'] !== 'string' || !('response' in result))
    return JSON.stringify(result ?? null);
  const { raw, ...members } = result;
  const original = originalText(raw, members['response']);
  if (original === undefined) return JSON.stringify(members);
  const parts = Object.entries(members).map(
    ([name, value]) => [name, name === 'response' ? original : JSON.stringify(value)] as const,
  );
  // A member without a JSON form, such as a function, is left out, as JSON.stringify does.
  const written = parts.filter(([, text]) => (text as string | undefined) !== undefined);
  return `{${written.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
