import { headerOf, type OutboundRequest, type UpstreamReply } from '../../core/adapter.js';

/** Validators that are sent back: printable, and not larger than a header needs to be. */
const VALIDATOR = /^[\x21-\x7e][\x20-\x7e]{0,1023}$/;

/** Returns the request with the validators of a stored reply (RFC 9111 section 4.3.1); unchanged without validators. */
export function conditionalRequest(request: OutboundRequest, stored: UpstreamReply): OutboundRequest {
  const etag = headerOf(stored.headers, 'etag');
  const lastModified = headerOf(stored.headers, 'last-modified');
  const conditions = {
    ...(etag !== undefined && VALIDATOR.test(etag) && { 'if-none-match': etag }),
    ...(lastModified !== undefined && VALIDATOR.test(lastModified) && { 'if-modified-since': lastModified }),
  };
  return { ...request, headers: { ...request.headers, ...conditions } };
}

/** Returns true for a request that has conditions of its own. */
export function isConditional({ headers }: OutboundRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().startsWith('if-'));
}

/** Returns true for a reply that confirms the stored one. */
export function isConfirmation({ status }: UpstreamReply): boolean {
  return status === 304;
}

/** Headers that describe the body of the 304 itself, or the connection. */
const KEPT = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
  'connection',
]);

/**
 * Returns the stored reply with the headers of its confirmation (RFC 9111 section 3.2); undefined if the confirmation has
 * another entity tag.
 */
export function confirmedReply(
  stored: UpstreamReply,
  confirmation: UpstreamReply,
): UpstreamReply | undefined {
  const [before, now] = [headerOf(stored.headers, 'etag'), headerOf(confirmation.headers, 'etag')];
  if (now !== undefined && weak(now) !== weak(before ?? '')) return undefined;
  const updates = Object.entries(confirmation.headers).filter(([name]) => !KEPT.has(name));
  // The age of the stored reply is over: the orchestrator has just confirmed it.
  const kept = Object.entries(stored.headers).filter(([name]) => name !== 'age');
  return { ...stored, headers: Object.fromEntries([...kept, ...updates]) };
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}
