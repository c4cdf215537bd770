import type { AdapterContext, UpstreamReply } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { valueAt } from '../../src/core/pointer.js';
import { parseJson } from '../../src/core/strict-json.js';
import { elementAttributes, plainXml } from './xml.js';

/** Default root of RESTCONF. */
export const CONVENTIONAL_ROOT = '/restconf';

/** Pattern of a root: one or more segments (RFC 3986), none of them empty or made of dots. */
export const ROOT_PATTERN = "^(?:/(?!\\.{1,2}(?:/|$))(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+$";

const root = new RegExp(ROOT_PATTERN);
const HOST_META = '/.well-known/host-meta';

/**
 * Asks the orchestrator for its RESTCONF root (RFC 8040 section 3.1). Returns the conventional root if the
 * response announces no usable root. Throws the Problem of `context.send` if no reply arrives, and `upstream_failed` if the
 * orchestrator cannot answer now.
 */
export async function discoverRoot(context: AdapterContext, signal: AbortSignal): Promise<string> {
  const headers = { accept: 'application/xrd+xml' };
  const reply = await context.send({ method: 'GET', path: HOST_META, headers }, signal);
  if (reply.status === 429 || (reply.status >= 500 && reply.status !== 501)) throw unavailable(reply);
  const found = reply.status === 200 ? rootOf(reply.body, context) : undefined;
  context.log.info(found === undefined ? 'no restconf root announced' : 'restconf root discovered', {
    status: reply.status,
    root: found ?? CONVENTIONAL_ROOT,
  });
  return found ?? CONVENTIONAL_ROOT;
}

function unavailable(reply: UpstreamReply): Problem {
  const detail = `The orchestrator answered ${reply.status} to ${HOST_META}; its RESTCONF root is unknown.`;
  return new Problem('upstream_failed', `${detail} Set the option 'root' to skip the discovery.`);
}

function rootOf(document: Buffer, context: AdapterContext): string | undefined {
  for (const href of restconfLinks(document)) {
    const [, address, path = ''] = /^((?:https?:)?\/\/[^/?#]*)?(.*)$/is.exec(href) ?? [];
    const plain = path === '' ? undefined : plainPath(path);
    const message =
      plain === undefined ? 'is not a plain path; ignoring it' : 'contains an address; using only its path';
    if (address !== undefined || plain === undefined)
      context.log.warn(`restconf link of host-meta ${message}`, { href: href.slice(0, 200) });
    if (plain !== undefined) return plain;
  }
  return undefined;
}

/**
 * Returns the path without a slash at its end, so that `/` is the empty root. Returns undefined for a text
 * that is not a plain path. Calls stay below the base URL with any path.
 */
function plainPath(path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return undefined;
  const trimmed = `/${path}`.replace(/^\/{2}/, '/').replace(/\/$/, '');
  return trimmed === '' || root.test(trimmed) ? trimmed : undefined;
}

const RESOURCES = ['/data', '/operations', '/yang-library-version', '/streams'];

/**
 * Returns the path on the orchestrator for the path of a caller. Paths below the conventional root move to
 * the real root. The resources of RFC 8040 section 3.3 move below the root; other paths stay unchanged.
 */
export function pathOnServer(path: string, root: string): string {
  if (root !== '' && isBelow(path, root)) return path;
  if (isBelow(path, CONVENTIONAL_ROOT)) return anchored(root + path.slice(CONVENTIONAL_ROOT.length));
  return RESOURCES.some((resource) => isBelow(path, resource)) ? root + path : path;
}

function isBelow(path: string, top: string): boolean {
  return path.startsWith(top) && ['', '/', '?'].includes(path.charAt(top.length));
}

/**
 * Adds the leading slash. For the path of the root itself, a root of `/` leaves nothing or only the query.
 */
function anchored(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** Maximum size of a host-meta document, in bytes; real documents have a few hundred. */
const MAX_HOST_META_BYTES = 65_536;

/**
 * Returns the targets of the links with the relation `restconf` (RFC 8040 section 3.1) in a host-meta
 * document (RFC 6415), XRD or JRD, in document order. Returns no targets for any other document.
 */
export function restconfLinks(document: Buffer): readonly string[] {
  if (document.length > MAX_HOST_META_BYTES) return [];
  const text = document
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return text.startsWith('{') ? linksOfJrd(text) : linksOfXrd(text);
}

function linksOfXrd(text: string): readonly string[] {
  return elementAttributes(plainXml(text), 'Link')
    .filter((attributes) => attributes.get('rel')?.trim() === 'restconf')
    .flatMap((attributes) => attributes.get('href')?.trim() ?? []);
}

function linksOfJrd(text: string): readonly string[] {
  const parsed = parseJson(Buffer.from(text));
  const links = 'value' in parsed ? valueAt(parsed.value, '/links') : undefined;
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    const href = valueAt(link, '/href');
    return valueAt(link, '/rel') === 'restconf' && typeof href === 'string' ? href : [];
  });
}
