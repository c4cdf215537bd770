import { isHeaderName, isHeaderValue, isOwnHeader, resemblesFraming } from '../core/header.js';
import { Problem, type RequestError } from '../core/problem.js';
import { pointerTo } from '../json/pointer.js';

/** Returns the fault of a header set by a plugin or an operator, or `undefined`. Never repeats the value. */
export function headerFault(name: string, value: string): string | undefined {
  if (!isHeaderName(name)) return 'is not a header name';
  if (isOwnHeader(name)) return 'is set by the proxy itself; leave it out';
  if (!isHeaderValue(value))
    return 'has a line break, a control character or a character beyond Latin-1 in its value';
  return undefined;
}

/**
 * Returns the fault of a header set by a caller. Names must not contain `_`, because many servers read it as
 * `-` and a rule for one name would miss the other. Names must not resemble a framing header in other
 * respects.
 */
function callerHeaderFault(name: string, value: string): string | undefined {
  if (name.includes('_')) return 'has a "_" in its name, which many servers read as "-"';
  if (resemblesFraming(name)) return 'resembles a header that the proxy sets itself';
  return headerFault(name, value);
}

const MAX_HEADERS = 100;
const MAX_HEADER_BYTES = 16_384;

/**
 * Throws `invalid_header` with every header that a caller must not send, at `/headers/<name>`. `credentials`
 * is true if the call has a user and a password, which conflict with an `Authorization` header.
 */
export function checkCallerHeaders(headers: Readonly<Record<string, string>>, credentials: boolean): void {
  const entries = Object.entries(headers);
  const sizeErrors = sizeFaults(entries);
  const errors = sizeErrors.length > 0 ? sizeErrors : entryFaults(entries, credentials);
  if (errors.length === 0) return;
  const count = errors.length === 1 ? 'a header is' : `${errors.length} headers are`;
  throw new Problem('invalid_header', `${count} refused: see "errors"`, { errors });
}

type Entries = readonly (readonly [string, string])[];

function sizeFaults(entries: Entries): readonly RequestError[] {
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > MAX_HEADERS) return [{ pointer: '/headers', message: `are more than ${MAX_HEADERS}` }];
  if (bytes > MAX_HEADER_BYTES)
    return [{ pointer: '/headers', message: `are larger than ${MAX_HEADER_BYTES} bytes` }];
  return [];
}

function entryFaults(entries: Entries, credentials: boolean): readonly RequestError[] {
  const seen = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isDuplicate = seen.has(lower);
    seen.add(lower);
    const message =
      callerHeaderFault(name, value) ??
      (isDuplicate ? 'is set twice, in different letter cases' : undefined) ??
      (credentials && lower === 'authorization'
        ? 'contradicts the user and the password of the call'
        : undefined);
    return message === undefined ? [] : [{ pointer: pointerTo('/headers', name), message }];
  });
}
