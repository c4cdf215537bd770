import type { Redact } from '../../../core/redactor.js';

/**
 * The plain value with every known secret taken out of its texts: an orchestrator, a plugin or a caller may have put one
 * there, and it may be known as one only since.
 */
export function withoutSecrets<T>(value: T, redact: Redact): T {
  const clean = (one: unknown): unknown => {
    if (typeof one === 'string') return redact(one);
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(clean);
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, clean(member)]));
  };
  return clean(value) as T;
}
