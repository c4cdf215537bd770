import { headerLinesOf, type HeaderLines } from '../../core/stream.js';
import type { BaseUrl } from '../target.js';
import { hopByHopNames } from './request-headers.js';

/** The head of a reply as received. */
interface ReplyHead {
  readonly status: number;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/** What decides about the headers of the replies of an adapter. */
interface ReplyFilter {
  /** Lower-case names of the headers that callers get. */
  readonly forwarded: ReadonlySet<string>;
  /** Removes the adapter's credentials from values that repeat them. */
  readonly redact: (text: string) => string;
}

/** Relations between resources that make no browser connect or load (RFC 8288). */
const HARMLESS_RELATIONS: ReadonlySet<string> = new Set([
  ...['about', 'alternate', 'api-catalog', 'author', 'bookmark', 'canonical', 'collection', 'contents'],
  ...['create-form', 'current', 'deprecation', 'describedby', 'describes', 'edit', 'edit-form', 'edit-media'],
  ...['enclosure', 'first', 'help', 'hub', 'index', 'item', 'items', 'last', 'latest-version', 'license'],
  ...['linkset', 'memento', 'monitor', 'next', 'next-archive', 'original', 'predecessor-version'],
  ...[
    'prev',
    'prev-archive',
    'previous',
    'privacy-policy',
    'profile',
    'related',
    'replies',
    'search',
    'section',
  ],
  ...['self', 'service', 'service-desc', 'service-doc', 'service-meta', 'start', 'status', 'subsection'],
  ...['successor-version', 'sunset', 'tag', 'terms-of-service', 'timegate', 'timemap', 'type', 'up'],
  ...['version-history', 'via', 'working-copy', 'working-copy-of'],
]);

/** A relation of an organization's own. Without "=", so that no text around a second parameter `rel` counts as a URI. */
const URI_RELATION = /^[a-z][a-z\d+.-]*:[^=;,]*$/;

/** A parameter `rel`; the text of a URL that looks like one counts too. */
const RELATIONS = /(?<![\w%&?-])rel\s*=\s*(?:"([^"]*)|([^\s,;]*))/gi;

/** Returns true unless the `Link` may make a browser connect or load before a page asks for anything. */
function isHarmlessLink(value: string): boolean {
  return [...value.matchAll(RELATIONS)].every(([, quoted, token = '']) =>
    (quoted ?? token)
      .toLowerCase()
      .split(/\s+/)
      .every(
        (relation) => relation === '' || HARMLESS_RELATIONS.has(relation) || URI_RELATION.test(relation),
      ),
  );
}

const LOCATION_HEADERS: ReadonlySet<string> = new Set(['location', 'content-location']);

/** Returns the reply headers for the caller, in the order of the orchestrator. */
export function replyHeaders(
  { status, rawHeaders }: ReplyHead,
  upstream: UpstreamLocation,
  { forwarded, redact }: ReplyFilter,
): HeaderLines {
  const lines = headerLinesOf(rawHeaders);
  const hopByHop = hopByHopNames(lines);
  const isChunked = lines.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const hasLength = !isChunked && status !== 204 && status >= 200;
  const kept: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [name, value] = line;
    const lower = name.toLowerCase();
    if (!forwarded.has(lower)) continue;
    if (lower === 'content-length') {
      if (hasLength) kept.push(line);
    } else if (!hopByHop.has(lower) && (lower !== 'link' || isHarmlessLink(value))) {
      kept.push([name, redact(LOCATION_HEADERS.has(lower) ? rewriteLocation(value, upstream) : value)]);
    }
  }
  return kept;
}

/** Location of an orchestrator from the caller's point of view. */
interface UpstreamLocation {
  /** All base URLs of the adapter. */
  readonly bases: readonly BaseUrl[];
  /** Path of the base URL in this proxy, for example `/proxy/nso1`. */
  readonly mount: string;
  /** URL of the answered request. */
  readonly url: string;
  /** Name of the parameter that carries the adapter's credentials. */
  readonly parameter?: string | undefined;
}

/**
 * Rewrites a `Location` or `Content-Location` for the caller. A target below a base URL leads through the
 * proxy again. A path outside the base URL becomes an absolute URL, because it would otherwise point to the
 * proxy itself; anything else is unchanged.
 */
export function rewriteLocation(
  location: string,
  { bases, mount, url, parameter }: UpstreamLocation,
): string {
  if (!URL.canParse(location, url)) return location;
  const target = new URL(location, url);
  if (parameter !== undefined) dropParameter(target, parameter);
  const base = bases.find((candidate) => isBelow(target, candidate));
  if (base) return mount + target.pathname.slice(base.path.length) + target.search + target.hash;
  return URL.canParse(location) && parameter === undefined ? location : target.href;
}

function isBelow({ origin, pathname }: URL, base: BaseUrl): boolean {
  return origin === base.origin && (pathname === base.path || pathname.startsWith(`${base.path}/`));
}

/** Removes the credentials parameter, because orchestrators often repeat the query of the request. */
function dropParameter(target: URL, name: string): void {
  if (!target.searchParams.has(name)) return;
  target.searchParams.delete(name);
}
