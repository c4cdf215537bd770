import { type AdapterContext, headerOf, type UpstreamReply } from '../../src/core/adapter.js';
import { Problem, refusedCredentials } from '../../src/core/problem.js';
import { valueAt } from '../../src/json/pointer.js';
import { parseJson } from '../../src/json/strict-json.js';
import { elementAttributes, plainXml } from './xml.js';

/** Root of RESTCONF in the paths of callers, and of most servers. */
export const CONVENTIONAL_ROOT = '/restconf';

/** Pattern of a root: one or more segments (RFC 3986), none of them empty or made of dots. */
export const ROOT_PATTERN = "^(?:/(?!\\.{1,2}(?:/|$))(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+$";

const root = new RegExp(ROOT_PATTERN);
const HOST_META = '/.well-known/host-meta';

/**
 * Finds the RESTCONF root of the orchestrator: the root that host-meta announces (RFC 8040 section 3.1), or a conventional
 * root that answers as RESTCONF. Throws if neither exists yet, so that the host asks again: `upstream_auth` if the
 * credentials are refused, `upstream_failed` for any other reply, and the Problem of `context.send` without a reply.
 */
export async function discoverRoot(context: AdapterContext, signal: AbortSignal): Promise<string> {
  const answers: string[] = [];
  const ask = async (method: string, path: string, accept: string): Promise<UpstreamReply> => {
    const reply = await context.send({ method, path, headers: { accept } }, signal);
    answers.push(`${reply.status} to ${path}`);
    return reply;
  };
  const hostMeta = await ask('GET', HOST_META, 'application/xrd+xml');
  const announced = hostMeta.status === 200 ? rootOf(hostMeta.body, context) : undefined;
  if (announced !== undefined) {
    context.log.info('restconf root discovered', { root: announced });
    return announced;
  }
  for (const { method, resource } of PROOFS)
    for (const root of CONVENTIONAL_ROOTS) {
      const reply = await ask(method, root + resource, YANG_DATA);
      if (isProof(reply)) {
        context.log.info('restconf root proven', { root });
        return root;
      }
      if (reply.status === 401)
        throw new Problem('upstream_auth', refusedCredentials(`answered 401 to ${root}${resource}`));
    }
  throw new Problem(
    'upstream_failed',
    `no RESTCONF root was found: the orchestrator answered ${answers.join(', ')}. Set the option 'root' if it has another.`,
  );
}

/** Roots of servers that announce none. `/rests` is the root of OpenDaylight. */
const CONVENTIONAL_ROOTS = [CONVENTIONAL_ROOT, '/rests'] as const;

const YANG_DATA = 'application/yang-data+json, application/yang-data+xml;q=0.9';

/**
 * Resources that every RESTCONF server has (RFC 8040 section 3.3). The second serves for servers that lack the first; HEAD
 * reads no data.
 */
const PROOFS = [
  { method: 'GET', resource: '/yang-library-version' },
  { method: 'HEAD', resource: '/data' },
] as const;

/** Returns true for a reply that only a RESTCONF server gives, as opposed to a page that answers every path. */
function isProof({ status, headers, body }: UpstreamReply): boolean {
  const isYangData = /^application\/yang-data\+(?:json|xml)\b/i.test(headerOf(headers, 'content-type') ?? '');
  return status === 200 && (isYangData || body.includes('yang-library-version'));
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
