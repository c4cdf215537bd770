// RFC 9110 section 5.6.2 (token) and section 8.3.1 (media-type). Quoted parameters must not contain escapes.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\x00-\\x1f\\x7f]*")`;
const MEDIA_TYPE = `${TOKEN}/${TOKEN}(?:${PARAMETER})*`;

/** Pattern (for a JSON Schema) of one media type, as in Content-Type. */
export const MEDIA_TYPE_PATTERN = `^${MEDIA_TYPE}$`;

/** Pattern of one or more media types or ranges separated by commas, as in Accept. */
export const ACCEPT_PATTERN = `^${MEDIA_TYPE}(?:[ \\t]*,[ \\t]*${MEDIA_TYPE})*$`;

/** Maximum length of a media type or Accept value, in characters. */
export const MEDIA_TYPE_LENGTH = 1024;

/**
 * Returns true for `application/json` and for every type with the suffix `+json` (RFC 6839), with any
 * parameters.
 */
export function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}
