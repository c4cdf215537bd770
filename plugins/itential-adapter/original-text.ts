import { isDeepStrictEqual } from 'node:util';

/**
 * Returns the text of the orchestrator if the adapter parsed it and changed nothing, so that no number loses a digit;
 * `undefined` if the text is unknown, or if the adapter returns something else.
 */
export function originalText(raw: unknown, response: unknown): string | undefined {
  if (typeof raw !== 'string' || typeof response === 'string') return undefined;
  try {
    return isDeepStrictEqual(JSON.parse(raw), response) ? raw.trim() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if a value contains an integer beyond the range in which doubles represent every integer. */
export function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasUnsafeInteger);
}
