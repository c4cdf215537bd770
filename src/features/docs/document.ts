import { createHash } from 'node:crypto';
import type { TaggedDocument } from '../lib/tagged-document.js';

/** Creates the document of a text or of the bytes of a JSON document. */
export function taggedDocument(content: string | Buffer): TaggedDocument {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { body: typeof content === 'string' ? content : { rawJson: content }, etag };
}
