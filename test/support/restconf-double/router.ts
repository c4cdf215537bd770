import type { Datastore } from './data.js';
import { notFound, type Reply, RestconfFault } from './reply.js';
import { requireAcceptable, type SeenRequest } from './request.js';
import { answerLibrary, isOfLibrary, type YangLibrary } from './yang-library.js';

const LIBRARY = '2019-01-04';

interface Site {
  readonly store: Datastore;
  readonly root: string;
  readonly origin: string;
  readonly library: YangLibrary;
  /** Returns the accepted value of `authorization`. */
  credentials(): string;
}

/** Answers one request; errors become `ietf-restconf:errors`. */
export function answer(site: Site, request: SeenRequest): Reply {
  try {
    return route(site, request);
  } catch (error) {
    if (error instanceof RestconfFault) return error.reply;
    throw error;
  }
}

function route(site: Site, request: SeenRequest): Reply {
  const [path = '', query = ''] = request.path.split(/\?(.*)/s);
  if (path === '/.well-known/host-meta') return hostMeta(site.root);
  requireCredentials(site, request);
  if (path !== site.root && !path.startsWith(`${site.root}/`)) throw notFound();
  const resource = path.slice(site.root.length);
  const rootUrl = `${site.origin}${site.root}`;
  if (isOfLibrary(resource))
    return answerLibrary(site.library, { resource, method: request.method, base: rootUrl });
  requireAcceptable(request.headers);
  if (resource === '/data' || resource.startsWith('/data/')) {
    return site.store.answer(request, {
      path: resource.slice(5),
      query: new URLSearchParams(query),
      base: `${rootUrl}/data`,
    });
  }
  return fixedResource(resource);
}

/** Answers the only resource without credentials (RFC 8040 section 3.1). */
function hostMeta(root: string): Reply {
  const link = `    <Link rel='restconf' href='${root}'/>`;
  const body = `<XRD xmlns='http://docs.oasis-open.org/ns/xri/xrd-1.0'>\n${link}\n</XRD>\n`;
  return { status: 200, headers: { 'content-type': 'application/xrd+xml' }, body };
}

function requireCredentials(site: Site, { headers }: SeenRequest): void {
  if (headers.authorization === site.credentials()) return;
  throw new RestconfFault(401, {
    tag: 'access-denied',
    message: 'the user name or the password is wrong',
    headers: { 'www-authenticate': 'Basic realm="restconf"' },
  });
}

/** The API resource and its fields (RFC 8040 section 3.3). */
function fixedResource(resource: string): Reply {
  const version = { 'yang-library-version': LIBRARY };
  const bodies: Readonly<Record<string, Reply['body']>> = {
    '': { 'ietf-restconf:restconf': { data: {}, operations: {}, ...version } },
    '/operations': { 'ietf-restconf:operations': {} },
    '/yang-library-version': { 'ietf-restconf:yang-library-version': LIBRARY },
  };
  const body = bodies[resource === '/' ? '' : resource];
  if (body === undefined) throw notFound();
  return { status: 200, body };
}
