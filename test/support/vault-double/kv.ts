import {
  envelope,
  failure,
  notFound,
  ok,
  secondsOf,
  unsupportedOperation,
  type DoubleReply,
} from './replies.js';
import type { Flavour, Json, KvVersion, Mount } from './state.js';

/** `GET <mount>/<path>` on a KV engine of version 1. The key `ttl` or `lease` of a secret becomes its lease. */
export function readKv1(
  mount: Extract<Mount, { kind: 'kv1' }>,
  path: string,
  query: URLSearchParams,
): DoubleReply {
  const data = mount.secrets.get(path);
  const ignored = [...query.keys()];
  const warnings =
    ignored.length === 0 ? null : [`Endpoint ignored these unrecognized parameters: [${ignored.join(' ')}]`];
  return data
    ? ok({ data, lease_duration: secondsOf(data['ttl'] ?? data['lease']) ?? 2_764_800, warnings })
    : notFound;
}

export interface Kv2Read {
  readonly mount: Extract<Mount, { kind: 'kv2' }>;
  /** Below the mount: `data/...`, `subkeys/...`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly now: number;
  readonly flavour: Flavour;
}

/** `GET <mount>/{data,subkeys}/<path>` on a KV engine of version 2. */
export function readKv2(read: Kv2Read): DoubleReply {
  const [, section = '', name = ''] = /^([^/]*)\/?(.*)$/.exec(read.path) ?? [];
  const versions = read.mount.secrets.get(name);
  if (section !== 'data' && section !== 'subkeys') return invalidPath(read.flavour, 'get');
  if (versions) return readSection(section, versions, read);
  const isFolder = name.endsWith('/') && read.mount.secrets.has(name.slice(0, -1));
  return section === 'data' && isFolder ? NO_VERSION_DATA : notFound;
}

/** Lists a folder: `LIST <mount>/<folder>/`, or `LIST <mount>/metadata/<folder>/` for version 2. */
export function listKv(mount: Mount, path: string, flavour: Flavour): DoubleReply {
  if (mount.kind === 'database') return unsupportedOperation;
  const [, section = '', name = ''] = /^([^/]*)\/?(.*)$/.exec(path) ?? [];
  if (mount.kind === 'kv2' && section !== 'metadata') return invalidPath(flavour, 'list');
  const written = mount.kind === 'kv2' ? name : path;
  const folder = written === '' || written.endsWith('/') ? written : `${written}/`;
  const below = [...mount.secrets.keys()]
    .filter((secret) => secret.startsWith(folder))
    .map((secret) => /^[^/]*\/?/.exec(secret.slice(folder.length))?.[0] ?? '');
  return below.length === 0 ? notFound : ok({ data: { keys: [...new Set(below)].sort() } });
}

/** Returns the reply for a path without `data/` or another section of the engine. */
export function invalidPath(flavour: Flavour, command: string): DoubleReply {
  const text =
    'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints ' +
    `to use. If using the Vault CLI, use '${flavour === 'openbao' ? 'bao' : 'vault'} kv ${command}' for this operation.`;
  return { status: 404, body: envelope({ warnings: [text] }) };
}

const NO_VERSION_DATA = failure(500, '1 error occurred:\n\t* could not find version data\n\n');

function readSection(
  section: 'data' | 'subkeys',
  versions: readonly KvVersion[],
  read: Kv2Read,
): DoubleReply {
  const reply = readData(versions, read);
  return section === 'data' ? reply : subkeys(reply);
}

function readData(versions: readonly KvVersion[], { query, now }: Kv2Read): DoubleReply {
  const asked = query.get('version') ?? '0';
  if (!/^-?\d+$/.test(asked)) return NOT_A_NUMBER;
  const number = Number(asked) > 0 ? Number(asked) : versions.length;
  const version = versions[number - 1];
  if (!version) return notFound;
  const metadata = { ...versionMetadata(version), custom_metadata: null, version: number };
  const gone = version.destroyed || (version.deletedAt !== null && version.deletedAt <= now);
  return gone
    ? { status: 404, body: envelope({ data: { data: null, metadata } }) }
    : ok({ data: { data: version.data, metadata } });
}

const NOT_A_NUMBER = failure(
  400,
  `Field validation failed: error converting input for field "version": '' cannot parse value as 'int': ` +
    'strconv.ParseInt: invalid syntax',
);

function versionMetadata(version: KvVersion): Json {
  return {
    created_time: new Date(version.created).toISOString(),
    deletion_time: version.deletedAt === null ? '' : new Date(version.deletedAt).toISOString(),
    destroyed: version.destroyed,
  };
}

/** Returns a data reply without the values. */
function subkeys(reply: DoubleReply): DoubleReply {
  const { data } = reply.body as { data?: { data: Json | null; metadata: Json } };
  if (!data) return reply;
  const found = { subkeys: data.data && withoutValues(data.data), metadata: data.metadata };
  return { status: reply.status, body: envelope({ data: found }) };
}

function withoutValues(data: Json): Json {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isObject(value) ? withoutValues(value) : null]),
  );
}
