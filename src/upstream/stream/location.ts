import type { BaseUrl } from '../target.js';

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
