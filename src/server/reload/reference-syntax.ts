import type { ReferenceSyntax } from '../../config/check-written.js';
import { isReference, parseReference } from '../../vault/reference.js';

/** Tells the configuration room what the room of secrets knows: how a reference reads. */
export const referenceSyntax: ReferenceSyntax = {
  isReference,
  isPlain(text) {
    const parsed = parseReference(text);
    return parsed.kind === 'literal' && parsed.text === text;
  },
};
