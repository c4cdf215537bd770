import { headerOf } from './adapter.js';
import type { HttpReply } from './http.js';

/**
 * Returns the delay in the header `Retry-After` of a reply, in milliseconds (RFC 9110 section 10.2.3: seconds
 * or a date). Returns undefined if the reply has no valid header.
 */
export function retryAfterMs({ headers }: Pick<HttpReply, 'headers'>, now: number): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
