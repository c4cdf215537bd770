import { Problem } from '../../core/problem.js';

/**
 * Returns the unchanged document if it is within the limit. Throws `body_too_large`, which names the
 * document.
 */
export function withinLimit<T extends object>(
  document: T,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: 'form' | 'task' },
): T {
  if (Buffer.byteLength(JSON.stringify(document)) <= maxBytes) return document;
  throw new Problem('body_too_large', `The ${what} is larger than ${maxBytes} bytes (forms.maxBytes).`);
}
