import type { Call, Reply } from '../../core/operation.js';

/** A document, and its entity tag. */
export interface TaggedDocument {
  readonly body: string | { readonly rawJson: Buffer };
  readonly etag: string;
}

/** Creates the reply with a document. The caller gets no body if `If-None-Match` names the document. */
export function documentReply({ body, etag }: TaggedDocument, { header }: Call, cacheControl: string): Reply {
  const isKnown = includesTag(header('if-none-match'), etag);
  return { body, headers: { etag, 'cache-control': cacheControl }, ...(isKnown && { notModified: true }) };
}

/** Returns true if `If-None-Match` names the tag. The comparison is weak (RFC 9110 section 13.1.2). */
function includesTag(condition: string | undefined, etag: string): boolean {
  const tags = (condition ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || condition?.trim() === '*';
}
