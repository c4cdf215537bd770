const PATH_LENGTH = 8192;
/**
 * Rounds of decoding that must not change the meaning of a segment; upstreams decode once, sometimes twice.
 */
const DECODINGS = 4;

/** RFC 3986: `pchar`, `/` and `?`. */
const CHARACTERS = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;

/**
 * Returns the fault of a path and query that must stay below a base URL, or `undefined`. A valid path means
 * the same to every reader: after repeated decoding, without `;parameters`, in compatibility form (NFKC), and
 * with `\` read as `/`, no segment consists of dots only.
 */
export function pathFault(path: string): string | undefined {
  return grammarFault(path) ?? firstFault(path.split('?', 1).join('').split('/').slice(1), segmentFault);
}

function grammarFault(path: string): string | undefined {
  if (path.length > PATH_LENGTH) return `is longer than ${PATH_LENGTH} characters`;
  if (!path.startsWith('/')) return 'must start with "/"';
  if (path.startsWith('//')) return 'must start with one "/" only: "//" names another host';
  if (path.includes('#')) return 'must not have a fragment; write a literal "#" as %23';
  if (!CHARACTERS.test(path))
    return 'has a character that a URL cannot carry; percent-encode it, for example a space as %20';
  if (/%(?![0-9A-Fa-f]{2})/.test(path))
    return 'has a "%" without two hexadecimal digits after it; write a literal "%" as %25';
  return undefined;
}

function segmentFault(segment: string): string | undefined {
  let text = segment;
  for (let round = 0; round < DECODINGS; round += 1) {
    const decoded = decodeOnce(text);
    if (decoded === undefined) return 'has percent-encoded bytes that are not UTF-8';
    const compatible = decoded.normalize('NFKC');
    const fault = textFault(decoded) ?? textFault(compatible);
    if (fault !== undefined || compatible === text) return fault;
    text = compatible;
  }
  return undefined;
}

/**
 * Decodes one round of percent-encoding and keeps a stray `%`. Returns `undefined` for bytes that are not
 * UTF-8.
 */
function decodeOnce(text: string): string | undefined {
  try {
    return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent);
  } catch {
    return undefined;
  }
}

function textFault(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'has a control character, which no orchestrator needs';
  if (text.includes('\\')) return 'has a backslash, which some servers read as "/"';
  return firstFault(text.split('/'), partFault);
}

function partFault(part: string): string | undefined {
  const seen = part.replace(/;.*/s, '').replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  return /^\.+$/.test(seen) ? 'has a part of dots alone, which could leave the base URL' : undefined;
}

function firstFault(
  texts: readonly string[],
  faultOf: (text: string) => string | undefined,
): string | undefined {
  for (const text of texts) {
    const fault = faultOf(text);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
