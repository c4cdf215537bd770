/**
 * Characters of a query that RFC 3986 requires encoded, although no reader takes them for structure, and the apostrophe, which
 * the URL standard encodes there.
 */
const ENCODED_IN_QUERY = /["'<>[\]^`{|}]/g;

/**
 * Returns a path or a URI with some characters of its query percent-encoded: quotes, backticks and `< > [ ] ^ { | }`. Clients
 * and orchestrators write them unencoded. Changes nothing before the first `?`, and no other character.
 */
export function encodeQuery(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const query = target.slice(at).replace(ENCODED_IN_QUERY, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return target.slice(0, at) + query;
}

/** Returns the fault of a character that a URL cannot carry at its place, with its code. */
export function characterFault(character: string): string {
  const isVisible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  const name = isVisible ? `the character "${character}"` : character === ' ' ? 'a space' : 'a character';
  const code = Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
  return `has ${name}, which a URL cannot carry there; percent-encode it as ${code}`;
}
