import { leaseAnswer, readDatabase } from './database.js';
import { answerKv1, answerKv2 } from './kv.js';
import { changeAppRole, login } from './logins.js';
import { capabilitiesAnswer, capabilitiesOf, putPolicy, reaches } from './policies.js';
import { denied, failure, invalidToken, ok, unsupported, type DoubleReply } from './replies.js';
import type { Json, Mount, Token, VaultDoubleState } from './state.js';
import { liveToken, tokenAnswer, wrappingAnswer } from './tokens.js';

export interface DoubleRequest {
  readonly method: string;
  /** Below `/v1/`, decoded, without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The header `X-Vault-Namespace`. The double has one set of objects for all namespaces. */
  readonly namespace: string | undefined;
  readonly token: string | undefined;
  readonly body: Json;
  /** SHA-256 fingerprint of the client certificate. */
  readonly certificate: string | undefined;
}

/** Answers a request as a server in that state would. */
export function answer(vaultState: VaultDoubleState, request: DoubleRequest): DoubleReply {
  const { path } = request;
  if (path === 'sys/health') return health(vaultState, request);
  if (vaultState.sealed) return failure(503, 'Vault is sealed');
  const [, mount] = /^auth\/(.+)\/login$/.exec(path) ?? [];
  if (mount !== undefined) return login(vaultState, mount, request);
  if (path.startsWith('sys/wrapping/')) return wrappingAnswer(vaultState, request);
  const token = liveToken(vaultState, request.token);
  if (!token) return request.token === undefined ? failure(403, 'permission denied') : invalidToken;
  return authenticatedAnswer(vaultState, token, request);
}

function authenticatedAnswer(
  vaultState: VaultDoubleState,
  token: Token,
  request: DoubleRequest,
): DoubleReply {
  const { path, body } = request;
  const [, asked] = /^sys\/internal\/ui\/mounts\/(.+)$/.exec(path) ?? [];
  if (asked !== undefined) return mountInfo(vaultState, token, { ...request, path: asked });
  const granted = capabilitiesOf(vaultState, token, path);
  if (!granted.includes('root') && !granted.includes(capabilityFor(vaultState, request))) return denied;
  if (path === 'sys/capabilities-self') return capabilitiesAnswer(vaultState, token, body);
  if (path.startsWith('sys/leases/')) return leaseAnswer(vaultState, path, body);
  const [, policy] = /^sys\/policies\/acl\/(.+)$/.exec(path) ?? [];
  if (policy !== undefined) return putPolicy(vaultState, policy, body);
  const [, role] = /^auth\/approle\/role\/([^/]+)$/.exec(path) ?? [];
  if (role !== undefined) return changeAppRole(vaultState, role, body);
  return tokenAnswer(vaultState, token, path) ?? engineAnswer(vaultState, token, request);
}

function health({ sealed }: VaultDoubleState, { namespace }: DoubleRequest): DoubleReply {
  if (namespace !== undefined) return failure(400, 'operation unavailable in namespaces');
  return { status: sealed ? 503 : 200, body: { sealed } };
}

/** Returns the capability that a policy must grant for the request. */
function capabilityFor(vaultState: VaultDoubleState, { method, path, query }: DoubleRequest): string {
  if (method === 'GET') return query.has('list') ? 'list' : 'read';
  const { mount, rest = '' } = findMount(vaultState, path) ?? {};
  const name = mount?.kind === 'kv2' ? rest.replace(/^data\//, '') : rest;
  const isKept = !mount || mount.kind === 'database' || mount.secrets.has(name);
  return isKept ? 'update' : 'create';
}

/** Returns the mount with the longest matching path, and the rest of the path. */
function findMount(
  { mounts }: VaultDoubleState,
  path: string,
): { readonly name: string; readonly mount: Mount; readonly rest: string } | undefined {
  const [found] = [...mounts]
    .filter(([name]) => path.startsWith(`${name}/`))
    .sort(([one], [other]) => other.length - one.length);
  return found && { name: found[0], mount: found[1], rest: path.slice(found[0].length + 1) };
}

/** Handles `GET sys/internal/ui/mounts/<path>`: returns the kind of engine that serves a path. */
function mountInfo(
  vaultState: VaultDoubleState,
  token: Token,
  { namespace, path }: Pick<DoubleRequest, 'namespace' | 'path'>,
): DoubleReply {
  const found = findMount(vaultState, path);
  if (!found || !reaches(vaultState, token, found.name))
    return failure(403, 'preflight capability check returned 403');
  const { kind } = found.mount;
  const [type, options] = kind === 'database' ? [kind, null] : ['kv', { version: kind.slice(2) }];
  const prefix = namespace === undefined ? '' : `${namespace}/`;
  return ok({ data: { type, options, path: `${prefix}${found.name}/` } });
}

function engineAnswer(vaultState: VaultDoubleState, token: Token, request: DoubleRequest): DoubleReply {
  const { method, path } = request;
  const found = findMount(vaultState, path);
  if (!found) return failure(404, `no handler for route "${path}". route entry not found.`);
  const { name: mountName, mount, rest } = found;
  const asked = { ...request, path: rest, now: vaultState.now() };
  if (mount.kind === 'kv1') return answerKv1(mount, asked);
  if (mount.kind === 'kv2') return answerKv2(mount, asked);
  if (method !== 'GET' || request.query.has('list')) return unsupported;
  return readDatabase({ vaultState, token, mount, mountName }, rest);
}
