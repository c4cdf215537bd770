import { failure, type DoubleReply } from './replies.js';
import {
  namespaceOf,
  type AppRole,
  type Json,
  type LoginRole,
  type Mount,
  type Namespace,
  type VaultDoubleState,
} from './state.js';

/** An administrative request to Vault. */
export interface AdministratorCall {
  readonly method: string;
  /** Below `/v1/`. */
  readonly path: string;
  readonly namespace: string;
  readonly body: Json;
}

const DONE: DoubleReply = { status: 204 };

/**
 * Handles `sys/mounts/<path>`, `sys/auth/<path>` and `sys/policies/acl/<name>`: POST or PUT creates, DELETE
 * removes.
 */
export function administration(
  vaultState: VaultDoubleState,
  call: AdministratorCall,
): DoubleReply | undefined {
  const [, kind, name = ''] = /^sys\/(mounts|auth|policies\/acl)\/(.+)$/.exec(call.path) ?? [];
  const namespace = namespaceOf(vaultState, call.namespace);
  const isWrite = call.method === 'POST' || call.method === 'PUT';
  if (kind === undefined || !(isWrite || call.method === 'DELETE')) return undefined;
  if (kind === 'mounts') return isWrite ? mount(namespace, name, call.body) : unmount(namespace, name);
  if (kind === 'auth') return isWrite ? enable(namespace, name, call.body) : disable(namespace, name);
  if (isWrite) return putPolicy(namespace, name, call.body);
  namespace.policies.delete(name);
  return DONE;
}

function mount({ mounts }: Namespace, name: string, { type, options }: Json): DoubleReply {
  if (mounts.has(name)) return failure(400, `path is already in use at ${name}/`);
  const made = engineOf(type, (options as Json | undefined)?.['version']);
  if (!made) return failure(400, `plugin not found in the catalog: ${String(type)}`);
  mounts.set(name, made);
  return DONE;
}

function engineOf(type: unknown, version: unknown): Mount | undefined {
  if (type === 'database') return { kind: 'database', roles: new Map(), staticRoles: new Map() };
  if (type !== 'kv') return undefined;
  return version === '2'
    ? { kind: 'kv2', secrets: new Map(), deleteAfter: new Map() }
    : { kind: 'kv1', secrets: new Map() };
}

function unmount({ mounts }: Namespace, name: string): DoubleReply {
  mounts.delete(name);
  return DONE;
}

function enable({ appRoles, loginRoles }: Namespace, name: string, { type }: Json): DoubleReply {
  if (appRoles.has(name) || loginRoles.has(name)) return failure(400, `path is already in use at ${name}/`);
  if (type === 'approle') appRoles.set(name, new Map<string, AppRole>());
  else if (type === 'kubernetes') loginRoles.set(name, new Map<string, LoginRole>());
  else return failure(400, `plugin not found in the catalog: ${String(type)}`);
  return DONE;
}

function disable({ appRoles, loginRoles }: Namespace, name: string): DoubleReply {
  appRoles.delete(name);
  loginRoles.delete(name);
  return DONE;
}

/** Accepts the JSON form of the policy language; the double does not support HCL. */
function putPolicy({ policies }: Namespace, name: string, { policy }: Json): DoubleReply {
  try {
    const { path } = JSON.parse(String(policy)) as {
      path: Record<string, { capabilities: readonly string[] }>;
    };
    policies.set(
      name,
      Object.fromEntries(Object.entries(path).map(([glob, { capabilities }]) => [glob, capabilities])),
    );
    return DONE;
  } catch {
    return failure(400, 'failed to parse policy');
  }
}
