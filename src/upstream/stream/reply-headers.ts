import { isOwnHeader } from '../../core/header.js';
import type { HeaderLines } from '../../core/stream.js';
import { droppedNames } from './request-headers.js';
import type { BaseUrl } from '../target.js';

/** A reply's head as it came. */
export interface ReplyHead {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/**
 * What is for the connection, and what would speak for the proxy's own address: its cookies (a session of the adapter, which
 * belongs to no caller, and which would go to all other adapters as well), its transport, its storage in the browser.
 */
const KEPT_BACK: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'http2-settings',
  'public-key-pins',
  'public-key-pins-report-only',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'x-request-id',
]);
const LOCATIONS: ReadonlySet<string> = new Set(['location', 'content-location']);

/** The headers of a reply that go to the caller; `redact` takes the adapter's credentials out of what repeats them. */
export function replyHeaders(
  { status, rawHeaders }: ReplyHead,
  outside: UpstreamLocation,
  redact: (text: string) => string,
): HeaderLines {
  const lines = linesOf(rawHeaders);
  const dropped = droppedNames(lines);
  const isChunked = lines.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  return lines.flatMap(([name, value]): HeaderLines => {
    const lower = name.toLowerCase();
    if (lower === 'content-length') return isChunked || status === 204 || status < 200 ? [] : [[name, value]];
    if (dropped.has(lower) || isOwnHeader(lower) || KEPT_BACK.has(lower)) return [];
    return [[name, redact(LOCATIONS.has(lower) ? seenFromOutside(value, outside) : value)]];
  });
}

/** Header lines from Node's list of names and values in turn. */
export function linesOf(rawHeaders: readonly string[]): HeaderLines {
  return rawHeaders.flatMap((name, at): HeaderLines =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
}

/** How the caller sees an orchestrator. */
export interface UpstreamLocation {
  /** All base URLs of the adapter. */
  readonly bases: readonly BaseUrl[];
  /** Where the caller sees a base URL, for example `/proxy/nso1`. */
  readonly mount: string;
  /** URL of the request that is answered. */
  readonly url: string;
  /** Name of the parameter that carries the adapter's credentials. */
  readonly parameter?: string | undefined;
}

/**
 * A `Location` or `Content-Location` as the caller may follow it: below a base URL it leads through the proxy again. A path
 * beside the base URL is written out in full, or it would lead to a place of the proxy itself; what else there is stays as it is.
 */
export function seenFromOutside(
  location: string,
  { bases, mount, url, parameter }: UpstreamLocation,
): string {
  if (!URL.canParse(location, url)) return location;
  const target = new URL(location, url);
  if (parameter !== undefined) dropParameter(target, parameter);
  const base = bases.find((one) => isBelow(target, one));
  if (base) return mount + target.pathname.slice(base.path.length) + target.search + target.hash;
  return URL.canParse(location) && parameter === undefined ? location : target.href;
}

function isBelow({ origin, pathname }: URL, base: BaseUrl): boolean {
  return origin === base.origin && (pathname === base.path || pathname.startsWith(`${base.path}/`));
}

/** Orchestrators like to repeat the query of the request. */
function dropParameter(target: URL, name: string): void {
  if (!target.searchParams.has(name)) return;
  target.searchParams.delete(name);
}
