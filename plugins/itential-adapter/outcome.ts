import { valueAt } from '../../src/core/pointer.js';
import type { GenericBody, GenericOutcome } from './messages.js';

/** Makes the two arguments of an adapter's call-back one message that can be sent between threads. */
export function outcomeOf(result: unknown, error: unknown): GenericOutcome {
  try {
    return readOutcome(result, error);
  } catch {
    // A result that refers to itself, for example.
    return { kind: 'error', icode: 'AD.999', message: 'the adapter gave a result that is not JSON' };
  }
}

function readOutcome(result: unknown, error: unknown): GenericOutcome {
  if (error !== undefined && error !== null) return failureOf(error);
  const headers = valueAt(result, '/headers');
  return {
    kind: 'response',
    icode: textAt(result, '/icode') ?? 'AD.200',
    headers: typeof headers === 'object' && headers !== null ? plain(headers) : {},
    body: bodyOf(valueAt(result, '/response'), headers) ?? { text: '', isJson: false },
  };
}

function failureOf(error: unknown): GenericOutcome {
  const code = codeIn(error);
  const body = bodyOf(valueAt(error, '/response') ?? valueAt(error, '/IAPerror/raw_response/response'));
  const told = textAt(error, '/IAPerror/displayString') ?? textAt(error, '/message');
  return {
    kind: 'error',
    icode: textAt(error, '/icode') ?? 'AD.999',
    message: told ?? (typeof error === 'string' ? error : 'the adapter gave no reason'),
    ...(code !== undefined && { code }),
    ...(body && { body }),
  };
}

function codeIn(error: unknown): number | undefined {
  const code = valueAt(error, '/IAPerror/code');
  return /^-?\d+$/.test(String(code)) ? Number(code) : undefined;
}

/** A text is JSON only where the orchestrator said so: an adapter hands over parsed JSON and plain text alike. */
function bodyOf(response: unknown, headers?: unknown): GenericBody | undefined {
  if (response === undefined || response === null) return undefined;
  if (typeof response !== 'string') return { text: JSON.stringify(response), isJson: true };
  const isJson = /[/+]json\b/i.test(textAt(headers, '/content-type') ?? '');
  return { text: isJson ? JSON.stringify(response) : response, isJson };
}

function textAt(value: unknown, pointer: string): string | undefined {
  const text = valueAt(value, pointer);
  return typeof text === 'string' ? text : undefined;
}

/** Without functions and the like, which cannot leave a thread. */
function plain(headers: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(headers)) as Readonly<Record<string, unknown>>;
}

/** An adapter drops the segments that it has no place for, and would ask for something else. */
export function refusedPath(path: string, depth: number): GenericOutcome | undefined {
  const segments = path.split('/').filter((segment) => segment !== '').length;
  if (segments <= depth) return undefined;
  return { kind: 'refused', message: `this adapter can ask for paths of at most ${depth} segments` };
}
