import { posix } from 'node:path';

/** Interpretations of a request path by different orchestrators: six functions, implemented independently. */
const READINGS: Readonly<Record<string, (path: string) => string>> = {
  'decodes once': (path) => posix.normalize(lenient(path)),
  'decodes twice': (path) => posix.normalize(lenient(lenient(path))),
  'takes a backslash for a slash': (path) => posix.normalize(lenient(path).replaceAll('\\', '/')),
  'strips parameters before it decodes': (path) => posix.normalize(lenient(stripped(path))),
  'decodes before it strips parameters': (path) => posix.normalize(stripped(lenient(path))),
  'drops control characters and folds wide characters': (path) =>
    posix.normalize(
      lenient(path)
        .normalize('NFKC')
        .replace(/[\x00-\x1f\x7f]/g, ''),
    ),
};

/**
 * Returns the names of the readings in which a request for the URL leaves the base URL: an origin and a path
 * without a final slash.
 */
export function escapes(url: string, base: { readonly origin: string; readonly path: string }): string[] {
  const target = url.startsWith(`${base.origin}/`)
    ? url.slice(base.origin.length).split(/[?#]/, 1)[0]
    : undefined;
  if (target === undefined) return ['another origin'];
  if (/[\x00-\x20\x7f]/.test(url)) return ['more than one line'];
  return Object.entries(READINGS)
    .filter(([, read]) => !isBelow(read(target), base.path))
    .map(([name]) => name);
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

function stripped(path: string): string {
  return path
    .split('/')
    .map((part) => part.split(';')[0] ?? '')
    .join('/');
}

/** Undoes percent-encoding and UTF-8 without any check: overlong forms and stray bytes become characters. */
function lenient(text: string): string {
  const bytes: number[] = [];
  for (const piece of text.match(/%[0-9a-f]{2}|[\s\S]/giu) ?? []) {
    if (piece.length === 3 && piece.startsWith('%')) bytes.push(parseInt(piece.slice(1), 16));
    else bytes.push(...Buffer.from(piece));
  }
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    for (const byte of bytes.slice(at + 1, at + 1 + more)) code = (code << 6) | (byte & 0x3f);
    out += String.fromCodePoint(Math.min(code, 0x10ffff));
    at += 1 + more;
  }
  return out;
}
