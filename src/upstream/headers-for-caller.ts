import type { Redact } from '../core/secret.js';
import type { Upstream } from '../core/upstream.js';
import { rewriteLocation } from './stream/reply-headers.js';
import type { BaseUrl } from './target.js';

/** Headers that no longer apply to the body, which the result contains decoded. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set(['content-encoding', 'content-length']);
const LOCATION_HEADERS: ReadonlySet<string> = new Set(['location', 'content-location']);

/**
 * Creates the function of an upstream that returns the path which a URI in a reply leads to. A URI with the host of a base URL
 * counts whatever its scheme and port are: behind a TLS proxy, an orchestrator often names itself with `http:`. The request goes
 * to the base URL in any case.
 */
export function createLinkedPath({
  bases,
  parameter,
}: Pick<CallerHeadersDeps, 'bases' | 'parameter'>): NonNullable<Upstream['linkedPath']> {
  return (link, path) => {
    for (const base of bases) {
      const url = base.origin + base.path + path;
      if (!URL.canParse(link, url)) return undefined;
      const { hostname, protocol, pathname, search } = new URL(link, url);
      if (hostname !== new URL(url).hostname || !/^https?:$/.test(protocol)) continue;
      const found = rewriteLocation(base.origin + pathname + search, {
        bases: [base],
        mount: '',
        url,
        parameter,
      });
      if (found.startsWith('/')) return found;
    }
    return undefined;
  };
}

interface CallerHeadersDeps {
  readonly bases: readonly [BaseUrl, ...BaseUrl[]];
  /** Lower-case names of the headers that callers get. */
  readonly forwarded: ReadonlySet<string>;
  /** Name of the query parameter that carries the adapter's credentials. */
  readonly parameter: string | undefined;
  readonly redact: Redact;
}

/**
 * Creates the function of an upstream that returns the headers of a reply for a caller. Ignores values that are no
 * header values, because a plugin with its own transport may be written without types.
 */
export function createCallerHeaders({
  bases,
  forwarded,
  parameter,
  redact,
}: CallerHeadersDeps): NonNullable<Upstream['callerHeaders']> {
  const pathBelowBase = (location: string, path: string): string => {
    // A relative reference is resolved against each base URL, because the reply does not tell which one answered.
    const candidates = bases.map((base) => {
      const url = base.origin + base.path + path;
      return rewriteLocation(location, { bases, mount: '', url, parameter });
    });
    const found = candidates.find((candidate) => /^(?:[/?#]|$)/.test(candidate)) ?? candidates[0] ?? location;
    // The base URL itself.
    return /^(?:[?#]|$)/.test(found) ? `/${found}` : found;
  };
  return (headers, path) => {
    const shown = (name: string, value: string): string =>
      redact(path !== undefined && LOCATION_HEADERS.has(name) ? pathBelowBase(value, path) : value);
    const kept: Record<string, string | readonly string[]> = {};
    for (const [written, value] of Object.entries(headers as Readonly<Record<string, unknown>>)) {
      const name = written.toLowerCase();
      if (!forwarded.has(name) || FRAMING_HEADERS.has(name)) continue;
      if (typeof value === 'string') kept[name] = shown(name, value);
      else if (Array.isArray(value))
        kept[name] = value.filter((item) => typeof item === 'string').map((item) => shown(name, item));
    }
    return kept;
  };
}
