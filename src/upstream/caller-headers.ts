import { pointerTo } from '../core/pointer.js';
import { Problem, type RequestError } from '../core/problem.js';
import { callerHeaderFault } from './header-rules.js';

const HEADERS = 100;
const HEADER_BYTES = 16_384;

/**
 * Throws `invalid_header` with every header that a caller must not send, at `/headers/<name>`; `credentials` says
 * that the call brings a user and a password, which an `Authorization` of its own would contradict.
 */
export function checkCallerHeaders(headers: Readonly<Record<string, string>>, credentials: boolean): void {
  const entries = Object.entries(headers);
  const tooMuch = sizeFaults(entries);
  const errors = tooMuch.length > 0 ? tooMuch : entryFaults(entries, credentials);
  if (errors.length === 0) return;
  const count = errors.length === 1 ? 'a header is' : `${errors.length} headers are`;
  throw new Problem('invalid_header', `${count} refused: see "errors"`, { errors });
}

type Entries = readonly (readonly [string, string])[];

function sizeFaults(entries: Entries): readonly RequestError[] {
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > HEADERS) return [{ pointer: '/headers', message: `are more than ${HEADERS}` }];
  if (bytes > HEADER_BYTES)
    return [{ pointer: '/headers', message: `are larger than ${HEADER_BYTES} bytes` }];
  return [];
}

function entryFaults(entries: Entries, credentials: boolean): readonly RequestError[] {
  const seen = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const twice = seen.has(lower);
    seen.add(lower);
    const message =
      callerHeaderFault(name, value) ??
      (twice ? 'stands twice, in different cases' : undefined) ??
      (credentials && lower === 'authorization'
        ? 'contradicts the user and the password of the call'
        : undefined);
    return message === undefined ? [] : [{ pointer: pointerTo('/headers', name), message }];
  });
}
