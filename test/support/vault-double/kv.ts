import { envelope, failure, notFound, ok, type DoubleReply } from './replies.js';
import type { Flavour, Json, KvVersion, Mount } from './state.js';

/** `GET <mount>/<path>` on a KV engine of version 1. */
export function readKv1(mount: Extract<Mount, { kind: 'kv1' }>, path: string): DoubleReply {
  const data = mount.secrets.get(path);
  return data ? ok({ data, lease_duration: hinted(data) ?? 2_764_800 }) : notFound;
}

/** Seconds of the key `ttl` or `lease`, which Vault repeats as the lease's time. */
function hinted(data: Json): number | undefined {
  const [, number, unit] = /^(\d+)([smh]?)$/.exec(String(data['ttl'] ?? data['lease'])) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1);
}

export interface Kv2Read {
  readonly mount: Extract<Mount, { kind: 'kv2' }>;
  /** Below the mount: `data/...`, `metadata/...`, `subkeys/...`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly now: number;
  readonly flavour: Flavour;
}

/** `GET <mount>/{data,metadata,subkeys}/<path>` on a KV engine of version 2. */
export function readKv2(read: Kv2Read): DoubleReply {
  const [, section = '', name = ''] = /^([^/]*)\/?(.*)$/.exec(read.path) ?? [];
  const versions = read.mount.secrets.get(name);
  if (section === 'data' && name === '')
    return warning('Non-listing operations on the root of a K/V v2 mount are not supported.');
  if (section === 'data' || section === 'subkeys' || section === 'metadata')
    return versions ? readSection(section, versions, read) : notFound;
  const tool = read.flavour === 'openbao' ? 'bao' : 'vault';
  return warning(
    'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints ' +
      `to use. If using the Vault CLI, use '${tool} kv get' for this operation.`,
  );
}

function readSection(
  section: 'data' | 'subkeys' | 'metadata',
  versions: readonly KvVersion[],
  read: Kv2Read,
): DoubleReply {
  if (section === 'metadata') return ok({ data: secretMetadata(versions) });
  const reply = readData(versions, read);
  return section === 'data' ? reply : subkeys(reply);
}

function warning(text: string): DoubleReply {
  return { status: 404, body: envelope({ warnings: [text] }) };
}

function readData(versions: readonly KvVersion[], { query, now }: Kv2Read): DoubleReply {
  const asked = query.get('version') ?? '0';
  if (!/^\d+$/.test(asked)) return failure(400, 'Field validation failed');
  const number = Number(asked) || versions.length;
  const version = versions[number - 1];
  if (!version) return notFound;
  const metadata = { ...versionMetadata(version), custom_metadata: null, version: number };
  const gone = version.destroyed || (version.deletedAt !== null && version.deletedAt <= now);
  return gone
    ? { status: 404, body: envelope({ data: { data: null, metadata } }) }
    : ok({ data: { data: version.data, metadata } });
}

function versionMetadata(version: KvVersion): Json {
  return {
    created_time: new Date(version.created).toISOString(),
    deletion_time: version.deletedAt === null ? '' : new Date(version.deletedAt).toISOString(),
    destroyed: version.destroyed,
  };
}

function secretMetadata(versions: readonly KvVersion[]): Json {
  return {
    cas_required: false,
    created_time: new Date(versions[0]?.created ?? 0).toISOString(),
    current_version: versions.length,
    custom_metadata: null,
    delete_version_after: '0s',
    max_versions: 0,
    oldest_version: 0,
    updated_time: new Date(versions.at(-1)?.created ?? 0).toISOString(),
    versions: Object.fromEntries(versions.map((version, at) => [at + 1, versionMetadata(version)])),
  };
}

/** Returns a data reply without the values. */
function subkeys(reply: DoubleReply): DoubleReply {
  if (reply.status !== 200) return reply;
  const { data } = reply.body as { data: { data: Json; metadata: Json } };
  return ok({ data: { subkeys: withoutValues(data.data), metadata: data.metadata } });
}

function withoutValues(data: Json): Json {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isObject(value) ? withoutValues(value) : null]),
  );
}
