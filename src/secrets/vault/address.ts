import { formatReference } from '../reference.js';
import { SecretError } from '../secret-error.js';
import { encoded, pathBelowMount, type SecretPath } from '../secret-path.js';

/** Kind of a secrets engine; `other` is any engine that stores no secrets, for example `database`. */
export type Engine = 'kv1' | 'kv2' | 'other';

/** The engine that serves a path. */
export interface Mount {
  readonly engine: Engine;
  /** Number of path segments that belong to the mount. */
  readonly length: number;
  /** True if these segments are the mount: Vault or the settings name it. False for a guess. */
  readonly isKnown: boolean;
}

export interface ReadAddress {
  /** Path below `/v1/`, percent-encoded, with its query. */
  readonly url: string;
  /** The URL without its query, for messages. */
  readonly shown: string;
  /**
   * Next step if Vault has nothing there or denies it: the path without the parts that are added. Absent if the path below the
   * mount begins neither with the mount nor with `data`, common mistakes that Vault's URLs suggest.
   */
  readonly shorterPathFix?: string | undefined;
}

/**
 * Returns the address of a secret in its engine: `<mount>/<path>`, or `<mount>/data/<path>[?version=N]` for
 * KV version 2. Throws `VAULT_PATH_FORBIDDEN` for a path that may lead to Vault's own API, and
 * `VAULT_KV_VERSION_MISMATCH` for a version of an engine that keeps none.
 */
export function readAddress(path: SecretPath, mount: Mount): ReadAddress {
  const { segments, version } = path;
  const { engine, length } = mount;
  if (mayLeadToApi(path, mount)) throw forbiddenPath(path);
  if (engine !== 'kv2' && version !== null) throw unversionedEngine(path);
  const rest = segments.slice(length);
  const shown = encoded([...segments.slice(0, length), ...(engine === 'kv2' ? ['data'] : []), ...rest]);
  return {
    url: version === null ? shown : `${shown}?version=${version}`,
    shown,
    ...shorterPathFix(path, mount),
  };
}

function shorterPathFix(path: SecretPath, { length }: Mount): Pick<ReadAddress, 'shorterPathFix'> {
  const { segments, isBelowMount, version } = path;
  const [mount, rest] = [segments.slice(0, length), segments.slice(length)];
  const hasMount = rest.length > length && mount.every((name, at) => rest[at] === name);
  const extra = hasMount ? [...mount] : [];
  if (rest[extra.length] === 'data' && rest.length > extra.length + 1) extra.push('data');
  if (extra.length === 0) return {};
  const meant = rest.slice(extra.length);
  const reference = formatReference({
    absolute: !isBelowMount,
    segments: isBelowMount ? meant : [...mount, ...meant],
    version,
    encoding: 'utf8',
    field: null,
  });
  return {
    shorterPathFix: `Leave "${encoded(extra)}/" out of the path: write ${reference}, then # and the field.`,
  };
}

/**
 * Returns the path of a folder below the configured mount: a path whose last segment is empty, as Vault writes it.
 * Without segments, it is the mount itself.
 */
export function folderPath(segments: readonly string[], mount: string): SecretPath {
  return pathBelowMount([...segments, ''], mount);
}

/**
 * Returns the path below `/v1/` that lists a folder: `<mount>/<path>/`, or `<mount>/metadata/<path>/` for KV version 2.
 * Throws `VAULT_PATH_FORBIDDEN` for a path that may lead to Vault's own API.
 */
export function listUrl(folder: SecretPath, mount: Mount): string {
  if (mayLeadToApi(folder, mount)) throw forbiddenPath(folder);
  const [own, rest] = [folder.segments.slice(0, mount.length), folder.segments.slice(mount.length)];
  return encoded([...own, ...(mount.engine === 'kv2' ? ['metadata'] : []), ...rest]);
}

/**
 * Returns true if `auth` or `sys` may follow a namespace in the path: `<namespace>/auth/...`. With KV version 2,
 * `data` separates the mount from the path, so the path stays inside its engine.
 */
function mayLeadToApi({ segments }: SecretPath, { engine, length, isKnown }: Mount): boolean {
  if (engine === 'kv2') return false;
  return (isKnown ? segments.slice(0, length) : segments).some((name) => name === 'auth' || name === 'sys');
}

function forbiddenPath({ segments }: SecretPath): SecretError {
  return new SecretError({
    code: 'VAULT_PATH_FORBIDDEN',
    message: `"${encoded(segments)}" may lead to Vault's own API behind a namespace, not to a secret`,
    fix: 'Name the engine of the secret in vault.mount, and its namespace in vault.namespace.',
  });
}

function unversionedEngine({ segments, version }: SecretPath): SecretError {
  return new SecretError({
    code: 'VAULT_KV_VERSION_MISMATCH',
    message: `"${encoded(segments)}" is pinned to version ${version ?? ''}, but only KV version 2 keeps versions`,
    fix: 'Leave "?version=" out of the reference, or set vault.kvVersion to 2 if the engine is one.',
  });
}
