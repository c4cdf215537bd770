import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from '../../core/problem.js';
import { callerOrigin } from '../../http/caller-origin.js';

/** Names under which the server is reached, and the pages that may call it. */
export interface SiteSettings {
  /** Origin that clients use to reach the server; null if not configured. */
  readonly publicUrl: string | null;
  /** More host names of the server, without port. */
  readonly hosts: readonly string[];
  /** Origins of pages that may call the server, as in `server.cors.origins`. */
  readonly origins: readonly string[];
}

/**
 * Throws `forbidden` for a `Host` that is not a name of this server, and for an `Origin` that may not call it. This prevents
 * DNS rebinding (MCP 2026-07-28, transports): a page whose name an attacker has pointed to this server sends that name as
 * `Host`. An IP address and `localhost` cannot be pointed elsewhere.
 */
export function requireOwnSite(req: IncomingMessage, { publicUrl, hosts, origins }: SiteSettings): void {
  const own = publicUrl === null ? undefined : new URL(publicUrl);
  const host = hostNameOf(req.headers.host ?? '');
  const isKnownHost = ['localhost', ...hosts, own?.hostname].some((name) => name?.toLowerCase() === host);
  if (!isKnownHost && isIP(host.replaceAll(/^\[|\]$/g, '')) === 0)
    throw forbidden(
      `The Host "${host.slice(0, MAX_SHOWN_LENGTH)}" is not a name of this server.`,
      'Ask the operator to set server.publicUrl, or to add the name to mcp.hosts.',
    );
  const { origin } = req.headers;
  if (origin !== undefined && ![...origins, own?.origin, serverOriginOf(req, null)].includes(origin))
    throw forbidden(
      `Pages of the Origin "${origin.slice(0, MAX_SHOWN_LENGTH)}" may not call this server.`,
      'Ask the operator to add the origin to server.cors.origins.',
    );
}

/** Maximum length of a name in a detail, in characters. */
const MAX_SHOWN_LENGTH = 128;

function forbidden(detail: string, advice: string): Problem {
  return new Problem('forbidden', detail, { advice });
}

/** Returns the host name of a `Host` header without its port; an IPv6 address keeps its brackets. */
function hostNameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** Returns the origin of the server as the caller of this request reaches it. The host must be checked before. */
export function serverOriginOf(req: IncomingMessage, publicUrl: string | null): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  return `${callerOrigin(req).scheme}://${req.headers.host ?? ''}`;
}
