import { appRoleLogin } from './approle.js';
import { administration } from './administration.js';
import { appRoleAdministration } from './approle-roles.js';
import { kubernetesAdministration } from './kubernetes-roles.js';
import { leaseAnswer, readDatabase } from './database.js';
import { health } from './health.js';
import { readKv1, readKv2 } from './kv.js';
import { isKept, writeKv1, writeKv2 } from './kv-writes.js';
import { roleLogin } from './logins.js';
import { findMount, mountInfo } from './mounts.js';
import { isAllowed } from './policies.js';
import { denied, failure, invalidToken, type DoubleReply } from './replies.js';
import { liveToken, tokenAnswer } from './tokens.js';
import { wrapReply, wrappingAnswer } from './wrapping.js';
import { namespaceOf, type Json, type Token, type VaultDoubleState } from './world.js';

/** A parsed request to the double. */
export interface DoubleRequest {
  readonly method: string;
  /** Below `/v1/`, decoded, without query and namespace. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly namespace: string;
  readonly namespaceHeader: boolean;
  readonly token: string | undefined;
  /** Lifetime of the wrapping token in seconds, if the reply must be wrapped. */
  readonly wrapTtl: number | undefined;
  readonly body: Json;
  /** SHA-256 fingerprint of the client certificate. */
  readonly certificate: string | undefined;
  /** Target as sent, for redirects. */
  readonly target: string;
}

/** Answers a request as a server in that state would. */
export function answer(world: VaultDoubleState, request: DoubleRequest): DoubleReply {
  if (request.path === 'sys/health') {
    return request.namespaceHeader && world.flavour === 'openbao'
      ? failure(400, 'operation unavailable in namespaces')
      : health(world, request.method, request.query);
  }
  return unavailable(world, request) ?? publicAnswer(world, request) ?? privateAnswer(world, request);
}

function unavailable(world: VaultDoubleState, { target }: DoubleRequest): DoubleReply | undefined {
  if (!world.initialized || world.sealed) return failure(503, 'Vault is sealed');
  if (world.drSecondary) return failure(400, 'path disabled in replication DR secondary mode');
  const { standby } = world;
  if (standby === null || standby === 'forwards') return undefined;
  if (standby === 'no-active') return failure(503, 'no active Vault instance found');
  if (standby === 'not-active') return failure(503, 'node is not active');
  if (standby === 'local-not-active')
    return failure(500, 'local node not active but active cluster node not found');
  return { status: 307, headers: { location: `${standby.redirectTo}${target}` } };
}

/** Answers requests that need no token. */
function publicAnswer(world: VaultDoubleState, request: DoubleRequest): DoubleReply | undefined {
  const mount = /^auth\/(.+)\/login$/.exec(request.path)?.[1];
  if (mount !== undefined && request.method === 'POST')
    return (
      appRoleLogin(world, { namespace: request.namespace, mount }, request.body) ??
      roleLogin(world, { namespace: request.namespace, mount }, request)
    );
  if (/^sys\/wrapping\/(lookup|unwrap)$/.test(request.path) && request.method === 'POST')
    return wrappingAnswer(world, request);
  const asked = /^sys\/internal\/ui\/mounts\/(.+)$/.exec(request.path)?.[1];
  if (asked !== undefined) return mountInfo(world, liveToken(world, request.token), asked);
  return undefined;
}

function privateAnswer(world: VaultDoubleState, request: DoubleRequest): DoubleReply {
  if (request.token === undefined) return failure(403, 'permission denied');
  const token = liveToken(world, request.token);
  if (!token) return invalidToken(world.flavour);
  const capability = capabilityFor(world, request);
  if (!isAllowed(world, token, { path: request.path, capability })) return denied;
  const reply =
    tokenAnswer(world, token, request) ??
    leaseAnswer(world, request) ??
    administration(world, request) ??
    appRoleAdministration(world, request) ??
    kubernetesAdministration(world, request) ??
    engineAnswer(world, token, request);
  return wrapReply(world, request, reply);
}

/** Returns the capability that a policy must grant for the request. */
function capabilityFor(world: VaultDoubleState, { method, namespace, path }: DoubleRequest): string {
  if (method === 'GET') return 'read';
  if (method === 'DELETE') return 'delete';
  const found = findMount(namespaceOf(world, namespace).mounts, path);
  return found && !isKept(found.mount, found.rest) ? 'create' : 'update';
}

function engineAnswer(
  world: VaultDoubleState,
  token: Token,
  { method, namespace, path, query, body }: DoubleRequest,
): DoubleReply {
  const found = findMount(namespaceOf(world, namespace).mounts, path);
  if (!found) return failure(404, `no handler for route "${path}". route entry not found.`);
  const { name, mount, rest } = found;
  const write = { method, path: rest, body, now: world.now() };
  if (method !== 'GET' && mount.kind === 'kv1') return writeKv1(mount, write);
  if (method !== 'GET' && mount.kind === 'kv2') return writeKv2(mount, write);
  if (method !== 'GET') return failure(405, 'unsupported operation');
  if (mount.kind === 'database') return readDatabase({ world, token, mount, mountName: name }, rest);
  if (mount.kind === 'kv1') return readKv1(mount, rest);
  return readKv2({ mount, path: rest, query, now: world.now(), flavour: world.flavour });
}
