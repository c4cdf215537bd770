import { done, failure, notFound, ok, type DoubleReply } from './replies.js';
import type { Json, KvVersion, Mount } from './state.js';

type Kv1 = Extract<Mount, { kind: 'kv1' }>;
type Kv2 = Extract<Mount, { kind: 'kv2' }>;

interface KvRequest {
  readonly method: string;
  /** Below the mount. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly now: number;
}

/** Reads, lists or writes on a KV engine of version 1. */
export function answerKv1({ secrets }: Kv1, { method, path, query, body }: KvRequest): DoubleReply {
  if (query.has('list')) return listFolder(secrets, path);
  if (method === 'GET') {
    const data = secrets.get(path);
    return data ? ok({ data, lease_duration: 2_764_800 }) : notFound;
  }
  secrets.set(path, body);
  return done;
}

/** Reads `data/...` and `subkeys/...`, lists `metadata/...` and writes `data/...` on a KV engine of version 2. */
export function answerKv2({ secrets }: Kv2, request: KvRequest): DoubleReply {
  const [, section, name = ''] = /^(data|subkeys|metadata)\/(.*)$/.exec(request.path) ?? [];
  if (section === undefined) return INVALID_PATH;
  if (section === 'metadata') return listFolder(secrets, name);
  const versions = secrets.get(name) ?? [];
  if (request.method !== 'GET') return addVersion(versions, request, () => secrets.set(name, versions));
  return readVersion(versions, request, section === 'subkeys');
}

/** Returns the reply for a path without `data/` or another section of the engine. */
const INVALID_PATH = ok(
  {
    warnings: [
      'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints ' +
        "to use. If using the Vault CLI, use 'vault kv get' for this operation.",
    ],
  },
  404,
);

function listFolder(secrets: ReadonlyMap<string, unknown>, path: string): DoubleReply {
  const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
  const below = [...secrets.keys()]
    .filter((secret) => secret.startsWith(folder))
    .map((secret) => /^[^/]*\/?/.exec(secret.slice(folder.length))?.[0] ?? '');
  return below.length === 0 ? notFound : ok({ data: { keys: [...new Set(below)].sort() } });
}

function readVersion(
  versions: readonly KvVersion[],
  { query, now }: KvRequest,
  isNamesOnly: boolean,
): DoubleReply {
  const number = Number(query.get('version') ?? versions.length);
  const version = versions[number - 1];
  if (!version) return notFound;
  const metadata = metadataOf(version, number);
  const isGone = version.destroyed || (version.deletedAt !== null && version.deletedAt <= now);
  const data = isGone ? null : version.data;
  const found = isNamesOnly ? { subkeys: data && withoutValues(data) } : { data };
  return ok({ data: { ...found, metadata } }, isGone ? 404 : 200);
}

function withoutValues(data: Json): Json {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, isObject(value) ? withoutValues(value) : null]),
  );
}

function metadataOf({ created, deletedAt, destroyed }: KvVersion, version: number): Json {
  return {
    created_time: new Date(created).toISOString(),
    custom_metadata: null,
    deletion_time: deletedAt === null ? '' : new Date(deletedAt).toISOString(),
    destroyed,
    version,
  };
}

function addVersion(versions: KvVersion[], { body, now }: KvRequest, keep: () => void): DoubleReply {
  const { data, options } = body as { readonly data?: Json; readonly options?: { readonly cas?: number } };
  if (!data) return failure(400, 'no data provided');
  if (options?.cas !== undefined && options.cas !== versions.length)
    return failure(400, 'check-and-set parameter did not match the current version');
  const version = { data, created: now, deletedAt: null, destroyed: false };
  const number = versions.push(version);
  keep();
  return ok({ data: metadataOf(version, number) });
}
