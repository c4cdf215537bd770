import { invalidPath } from './kv.js';
import { failure, notFound, ok, secondsOf, type DoubleReply } from './replies.js';
import type { Flavour, Json, KvVersion, Mount } from './state.js';

/**
 * Returns true if a path below the mount exists, deleted or not: a write is then an `update` and not a
 * `create`.
 */
export function isKept(mount: Mount, path: string): boolean {
  if (mount.kind === 'kv1') return mount.secrets.has(path);
  return mount.kind !== 'kv2' || !path.startsWith('data/') || mount.secrets.has(path.slice('data/'.length));
}

export interface KvWrite {
  readonly method: string;
  /** Below the mount. */
  readonly path: string;
  readonly body: Json;
  readonly now: number;
  readonly flavour: Flavour;
}

type Kv2 = Extract<Mount, { kind: 'kv2' }>;

/** `POST|PUT <mount>/<path>` on a KV engine of version 1. */
export function writeKv1(
  mount: Extract<Mount, { kind: 'kv1' }>,
  { method, path, body }: KvWrite,
): DoubleReply {
  if (method !== 'DELETE' && Object.keys(body).length === 0) return failure(400, 'missing data fields');
  if (method === 'DELETE') mount.secrets.delete(path);
  else mount.secrets.set(path, body);
  return { status: 204 };
}

/**
 * Handles `POST <mount>/{data,delete,undelete,destroy,metadata}/<path>` and `DELETE <mount>/data/<path>` on a KV
 * version 2 mount.
 */
export function writeKv2(mount: Kv2, write: KvWrite): DoubleReply {
  const [, section, name = ''] = /^(data|delete|undelete|destroy|metadata)\/(.+)$/.exec(write.path) ?? [];
  if (section === 'data' && write.method !== 'DELETE') return addVersion(mount, name, write);
  if (section === 'metadata') return setMetadata(mount, name, write.body);
  const versions = mount.secrets.get(name);
  if (section === undefined) return invalidPath(write.flavour, 'put');
  if (!versions) return notFound;
  const asked = section === 'data' ? [versions.length] : (write.body['versions'] as readonly number[]);
  for (const version of asked.flatMap((number) => versions[number - 1] ?? [])) {
    if (section === 'destroy') version.destroyed = true;
    else version.deletedAt = section === 'undelete' ? null : write.now;
  }
  return { status: 204 };
}

function addVersion(mount: Kv2, name: string, { body, now }: KvWrite): DoubleReply {
  const { data } = body;
  if (typeof data !== 'object' || data === null) return failure(400, 'no data provided');
  const versions = mount.secrets.get(name) ?? [];
  const conflict = checkAndSet(body['options'], versions.length);
  if (conflict !== undefined) return failure(400, conflict);
  const after = mount.deleteAfter.get(name);
  const deletedAt = after === undefined ? null : now + after * 1000;
  mount.secrets.set(name, versions);
  const made = { data: data as Json, created: now, deletedAt, destroyed: false };
  return ok({ data: summary(made, versions.push(made)) });
}

/** Returns the fault of the option `cas`; without the option every write is accepted. */
function checkAndSet(options: unknown, current: number): string | undefined {
  const cas = (options as Json | undefined)?.['cas'];
  if (cas === undefined) return undefined;
  if (typeof cas !== 'number') return 'error parsing check-and-set parameter';
  return cas === current ? undefined : 'check-and-set parameter did not match the current version';
}

function summary({ created, deletedAt }: KvVersion, version: number): Json {
  return {
    created_time: new Date(created).toISOString(),
    custom_metadata: null,
    deletion_time: deletedAt === null ? '' : new Date(deletedAt).toISOString(),
    destroyed: false,
    version,
  };
}

function setMetadata(mount: Kv2, name: string, { delete_version_after: after }: Json): DoubleReply {
  const seconds = secondsOf(after);
  if (after !== undefined && seconds === undefined)
    return failure(400, 'error converting input for field "delete_version_after"');
  if (seconds !== undefined) mount.deleteAfter.set(name, seconds);
  return { status: 204 };
}
