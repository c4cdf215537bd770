import { isHeaderName, isHeaderValue, isOwnHeader, resemblesFraming } from '../core/header.js';

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
 * `-` and a rule for one name would miss the other. Names must not resemble a framing header in any other
 * way.
 */
export function callerHeaderFault(name: string, value: string): string | undefined {
  if (name.includes('_')) return 'has a "_" in its name, which many servers read as "-"';
  if (resemblesFraming(name)) return 'resembles a header that the proxy sets itself';
  return headerFault(name, value);
}
