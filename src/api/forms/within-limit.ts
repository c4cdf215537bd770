import { Problem } from '../../core/problem.js';

/** The document as it is, when it is not too large to be kept. Throws `body_too_large`, which says what is. */
export function withinLimit<T extends object>(
  document: T,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: 'form' | 'task' },
): T {
  if (Buffer.byteLength(JSON.stringify(document)) <= maxBytes) return document;
  throw new Problem('body_too_large', `The ${what} is larger than ${maxBytes} bytes (forms.maxBytes).`);
}
