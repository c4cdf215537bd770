import { failure, ok, unsupportedOperation, type DoubleReply } from './replies.js';
import { pathFrom, reaches } from './policies.js';
import { namespaceOf, type Mount, type Token, type VaultDoubleState } from './state.js';

/** Returns the mount with the longest matching path, and the rest of the path. */
export function findMount(
  mounts: ReadonlyMap<string, Mount>,
  path: string,
): { readonly name: string; readonly mount: Mount; readonly rest: string } | undefined {
  const [name] = [...mounts.keys()]
    .filter((candidate) => path === candidate || path.startsWith(`${candidate}/`))
    .sort((a, b) => b.length - a.length);
  const mount = name === undefined ? undefined : mounts.get(name);
  return name === undefined || !mount ? undefined : { name, mount, rest: path.slice(name.length + 1) };
}

const OPTIONS = { kv1: { version: '1' }, kv2: { version: '2' }, database: null } as const;

/** Handles `GET sys/internal/ui/mounts/<path>`: returns the kind of engine that serves a path. */
export function mountInfo(
  vaultState: VaultDoubleState,
  token: Token | undefined,
  { method, namespace, path }: { readonly method: string; readonly namespace: string; readonly path: string },
): DoubleReply {
  if (method !== 'GET') return unsupportedOperation;
  if (!token) return failure(403, 'permission denied');
  const found = findMount(namespaceOf(vaultState, namespace).mounts, path);
  if (!found || !reaches(vaultState, token, pathFrom(token.namespace, namespace, found.name) ?? ''))
    return failure(
      403,
      `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
    );
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const type = found.mount.kind === 'database' ? 'database' : 'kv';
  const data = {
    accessor: `${type}_double`,
    config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0 },
    ...(type === 'kv' && { deprecation_status: 'supported' }),
    description: '',
    external_entropy_access: false,
    local: false,
    options: OPTIONS[found.mount.kind],
    path: `${prefix}${found.name}/`,
    plugin_version: '',
    running_plugin_version: 'v0.19.0+builtin',
    running_sha256: '',
    seal_wrap: false,
    type,
    uuid: '00000000-0000-4000-8000-000000000001',
  };
  return ok({ data });
}
