import { appRoleLogin } from './approle.js';
import { administration } from './administration.js';
import { appRoleAdministration } from './approle-roles.js';
import { kubernetesAdministration } from './kubernetes-roles.js';
import { leaseAnswer, readDatabase } from './database.js';
import { health } from './health.js';
import { listKv, readKv1, readKv2 } from './kv.js';
import { isKept, writeKv1, writeKv2 } from './kv-writes.js';
import { roleLogin } from './logins.js';
import { findMount, mountInfo } from './mounts.js';
import { capabilitiesAnswer, isAllowed } from './policies.js';
import {
  denied,
  failure,
  invalidToken,
  unsupportedOperation,
  unsupportedPath,
  type DoubleReply,
} from './replies.js';
import { countUse, liveToken, tokenAnswer } from './tokens.js';
import { wrapReply, wrappingAnswer } from './wrapping.js';
import { namespaceOf, type Json, type Token, type VaultDoubleState } from './state.js';

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
export function answer(vaultState: VaultDoubleState, request: DoubleRequest): DoubleReply {
  if (request.path === 'sys/health') {
    return request.namespaceHeader && vaultState.flavour === 'openbao'
      ? failure(400, 'operation unavailable in namespaces')
      : health(vaultState);
  }
  return (
    unavailable(vaultState, request) ??
    misplaced(vaultState, request) ??
    publicAnswer(vaultState, request) ??
    privateAnswer(vaultState, request)
  );
}

function unavailable(vaultState: VaultDoubleState, { target }: DoubleRequest): DoubleReply | undefined {
  if (!vaultState.initialized || vaultState.sealed) return failure(503, 'Vault is sealed');
  const { standby } = vaultState;
  if (standby === null || standby === 'forwards') return undefined;
  if (standby === 'no-active') return failure(503, 'no active Vault instance found');
  if (standby === 'not-active') return failure(503, 'node is not active');
  if (standby === 'local-not-active')
    return failure(500, 'local node not active but active cluster node not found');
  return { status: 307, headers: { location: `${standby.redirectTo}${target}` } };
}

/** Answers requests that no handler gets: to an unknown namespace, and to a path that is not clean. */
function misplaced(
  { flavour, namespaces }: VaultDoubleState,
  { namespace, path, target }: DoubleRequest,
): DoubleReply | undefined {
  if (path.includes('//')) return { status: 307, headers: { location: target.replaceAll(/\/{2,}/g, '/') } };
  return flavour === 'openbao' && namespace !== '' && !namespaces.has(namespace)
    ? failure(404, 'namespace not found')
    : undefined;
}

/** Answers requests that need no token. */
function publicAnswer(vaultState: VaultDoubleState, request: DoubleRequest): DoubleReply | undefined {
  const mount = /^auth\/(.+)\/login$/.exec(request.path)?.[1];
  if (mount !== undefined && (request.method === 'POST' || request.method === 'GET'))
    return (
      appRoleLogin(vaultState, { namespace: request.namespace, mount }, request.body) ??
      roleLogin(vaultState, { namespace: request.namespace, mount }, request)
    );
  if (/^sys\/wrapping\/(lookup|unwrap)$/.test(request.path)) return wrappingAnswer(vaultState, request);
  const asked = /^sys\/internal\/ui\/mounts\/(.+)$/.exec(request.path)?.[1];
  if (asked !== undefined)
    return mountInfo(vaultState, liveToken(vaultState, request.token), { ...request, path: asked });
  return undefined;
}

function privateAnswer(vaultState: VaultDoubleState, request: DoubleRequest): DoubleReply {
  if (request.token === undefined) return failure(403, 'permission denied');
  const token = liveToken(vaultState, request.token);
  if (!token) return vaultState.wrappings.has(request.token) ? denied : invalidToken(vaultState.flavour);
  countUse(vaultState, token);
  const { namespace, path } = request;
  const capability = capabilityFor(vaultState, request);
  if (!isAllowed(vaultState, token, { namespace, path, capability })) return denied;
  const reply =
    tokenAnswer(vaultState, token, request) ??
    capabilitiesAnswer(vaultState, token, request) ??
    leaseAnswer(vaultState, request) ??
    administration(vaultState, request) ??
    appRoleAdministration(vaultState, request) ??
    kubernetesAdministration(vaultState, request) ??
    engineAnswer(vaultState, token, request);
  return wrapReply(vaultState, request, reply);
}

/** Returns the capability that a policy must grant for the request. */
function capabilityFor(
  vaultState: VaultDoubleState,
  { method, namespace, path, query }: DoubleRequest,
): string {
  if (isListing({ method, query })) return 'list';
  if (method === 'GET') return 'read';
  if (method === 'DELETE') return 'delete';
  const found = findMount(namespaceOf(vaultState, namespace).mounts, path);
  return found && !isKept(found.mount, found.rest) ? 'create' : 'update';
}

function isListing({ method, query }: Pick<DoubleRequest, 'method' | 'query'>): boolean {
  return method === 'LIST' || (method === 'GET' && query.get('list') === 'true');
}

function engineAnswer(
  vaultState: VaultDoubleState,
  token: Token,
  { method, namespace, path, query, body }: DoubleRequest,
): DoubleReply {
  const found = findMount(namespaceOf(vaultState, namespace).mounts, path);
  if (!found && path.startsWith('sys/')) return unsupportedPath;
  if (!found) return failure(404, `no handler for route "${path}". route entry not found.`);
  const { name, mount, rest } = found;
  if (isListing({ method, query })) return listKv(mount, rest, vaultState.flavour);
  const write = { method, path: rest, body, now: vaultState.now(), flavour: vaultState.flavour };
  if (method !== 'GET' && mount.kind === 'kv1') return writeKv1(mount, write);
  if (method !== 'GET' && mount.kind === 'kv2') return writeKv2(mount, write);
  if (method !== 'GET') return unsupportedOperation;
  if (mount.kind === 'database') return readDatabase({ vaultState, token, mount, mountName: name }, rest);
  if (mount.kind === 'kv1') return readKv1(mount, rest, query);
  return readKv2({ mount, path: rest, query, now: vaultState.now(), flavour: vaultState.flavour });
}
