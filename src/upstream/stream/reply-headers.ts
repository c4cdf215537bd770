import { isOwnHeader } from '../../core/header.js';
import { headerLinesOf, type HeaderLines } from '../../core/stream.js';
import type { BaseUrl } from '../target.js';
import { hopByHopNames } from './request-headers.js';

/** The head of a reply as received. */
interface ReplyHead {
  readonly status: number;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/**
 * Headers for the connection, and headers that would act on the proxy's own origin: cookies (a session of the
 * adapter, which belongs to no caller and which browsers would send to all other adapters as well), transport
 * security, browser storage, reports, and navigation.
 */
const WITHHELD_HEADERS: ReadonlySet<string> = new Set([
  'accept-ch',
  'alt-svc',
  'available-dictionary',
  'clear-site-data',
  'critical-ch',
  'expect-ct',
  'http2-settings',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'public-key-pins-report-only',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'strict-transport-security',
  'use-as-dictionary',
  'x-request-id',
]);

/** Prefixes of headers that grant other origins access to this origin, or register sessions and reports for it. */
const WITHHELD_PREFIXES = ['access-control-', 'sec-session-', 'attribution-reporting-'];

/** Relations of a `Link` that make a browser connect or load before the page asks for anything (RFC 8288). */
const LOADING_LINK =
  /;\s*rel\s*=\s*"?[^;,"]*\b(?:preload|modulepreload|prefetch|preconnect|dns-prefetch|prerender)\b/i;

function isWithheld(name: string, value: string): boolean {
  if (WITHHELD_HEADERS.has(name) || WITHHELD_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  return name === 'link' && LOADING_LINK.test(value);
}

const LOCATION_HEADERS: ReadonlySet<string> = new Set(['location', 'content-location']);

/**
 * Returns the reply headers for the caller; `redact` removes the adapter's credentials from values that
 * repeat them.
 */
export function replyHeaders(
  { status, rawHeaders }: ReplyHead,
  upstream: UpstreamLocation,
  redact: (text: string) => string,
): HeaderLines {
  const lines = headerLinesOf(rawHeaders);
  const hopByHop = hopByHopNames(lines);
  const isChunked = lines.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const hasLength = !isChunked && status !== 204 && status >= 200;
  const kept: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [name, value] = line;
    const lower = name.toLowerCase();
    if (lower === 'content-length') {
      if (hasLength) kept.push(line);
    } else if (!hopByHop.has(lower) && !isOwnHeader(lower) && !isWithheld(lower, value)) {
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
