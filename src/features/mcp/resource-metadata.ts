import { type Problem, withExtras } from '../../core/problem.js';
import { MCP_PATH } from '../../settings/mcp.js';
import type { IssuerSettings } from '../../settings/settings.js';

/** Path of the metadata of the server as a protected resource (RFC 9728 section 3). */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * Returns the metadata document (RFC 9728 section 2) at a path of a server; undefined for any other path. The document
 * with the suffix `/mcp` describes the resource `/mcp`, the other one the whole server.
 */
export function resourceMetadata(
  path: string,
  origin: string,
  issuers: readonly Pick<IssuerSettings, 'issuer'>[],
): object | undefined {
  const suffix = [MCP_PATH, ''].find((end) => path === METADATA_PATH + end);
  if (suffix === undefined) return undefined;
  // Clients read the metadata of an authorization server at its URL. The built-in issuer has none.
  const servers = issuers.map(({ issuer }) => issuer).filter((issuer) => /^https?:\/\//.test(issuer));
  return {
    resource: origin + suffix,
    ...(servers.length > 0 && { authorization_servers: servers }),
    bearer_methods_supported: ['header'],
    resource_name: 'gatehouse',
  };
}

/**
 * Returns the Problem with a challenge that names the metadata (RFC 9728 section 5.1). A caller without a required role
 * gets `insufficient_scope` (RFC 6750 section 3.1).
 */
export function withChallenge(problem: Problem, origin: string): Problem {
  const { code, message, extras } = problem;
  const metadata = `resource_metadata="${origin}${METADATA_PATH}${MCP_PATH}"`;
  if (code === 'unauthorized') {
    const sent = [extras.headers?.['www-authenticate'] ?? 'Bearer'].flat();
    const challenges = sent.map((challenge) =>
      /^Bearer\b/i.test(challenge)
        ? `${challenge}${challenge.includes('=') ? ',' : ''} ${metadata}`
        : challenge,
    );
    return withExtras(problem, { headers: { ...extras.headers, 'www-authenticate': challenges } });
  }
  if (code !== 'forbidden') return problem;
  // A quoted string of RFC 6750 has neither quotation marks nor backslashes.
  const description = message.replaceAll(/[^ !#-[\]-~]/g, "'");
  const challenge = `Bearer error="insufficient_scope", error_description="${description}", ${metadata}`;
  return withExtras(problem, { headers: { ...extras.headers, 'www-authenticate': challenge } });
}
