import type { Reference } from './reference.js';

/** Path of one read; the read serves every reference with the same `key`. */
export interface SecretPath {
  /** Percent-encoded path with its mount and, if pinned, its version: the identity of the read. */
  readonly key: string;
  /** Decoded segments, including those of the mount. */
  readonly segments: readonly string[];
  /** Number of segments of the mount, according to the settings. */
  readonly mountLength: number;
  readonly version: number | null;
}

/** Kind of a secrets engine; `other` is any engine that stores no secrets, for example `database`. */
export type Engine = 'kv1' | 'kv2' | 'other';

/** The engine that serves a path. */
export interface Mount {
  readonly engine: Engine;
  /** Number of path segments that belong to the mount. */
  readonly length: number;
}

/** Address for reading a secret. */
export interface ReadAddress {
  /** Path below `/v1/`, percent-encoded, with its query. */
  readonly url: string;
  /** The URL without its query, for messages. */
  readonly shown: string;
  /** True if the path below the mount begins with `data`, a common mistake that Vault's URLs suggest. */
  readonly namesData: boolean;
}

/** Returns the path of the secret that a reference names, whatever its field. */
export function secretPath(reference: Reference, configuredMount: string): SecretPath {
  const mount = configuredMount.split('/');
  const { version, absolute } = reference;
  const segments = absolute ? reference.segments : [...mount, ...reference.segments];
  const shown = encoded(segments);
  return {
    key: version === null ? shown : `${shown}?version=${version}`,
    segments,
    mountLength: mountLength(segments, mount),
    version,
  };
}

/**
 * Returns the address of a secret in its engine: `<mount>/<path>`, or `<mount>/data/<path>[?version=N]` for
 * KV version 2.
 */
export function readAddress({ segments, version }: SecretPath, { engine, length }: Mount): ReadAddress {
  const rest = segments.slice(length);
  const shown = encoded([...segments.slice(0, length), ...(engine === 'kv2' ? ['data'] : []), ...rest]);
  return {
    url: version === null ? shown : `${shown}?version=${version}`,
    shown,
    namesData: rest[0] === 'data',
  };
}

/** Encodes segments for a URL. */
export function encoded(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

/**
 * Returns the number of segments of the mount. A mount can have several segments. In an absolute path only
 * the configured mount is known; any other mount counts as one segment.
 */
function mountLength(segments: readonly string[], configured: readonly string[]): number {
  const below = segments.length > configured.length && configured.every((name, at) => segments[at] === name);
  return below ? configured.length : 1;
}
