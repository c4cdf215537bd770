import type { Reference } from './reference.js';

/** What one read fetches: every reference with the same `key` is served by it. */
export interface SecretPath {
  /** Percent-encoded path with its mount, and its version where one is pinned: the identity of the read. */
  readonly key: string;
  /** Decoded, the mount's among them. */
  readonly segments: readonly string[];
  /** How many of them the mount has, as far as the settings tell. */
  readonly mountLength: number;
  readonly version: number | null;
}

/** How an engine wants to be asked; `other` is any that keeps no secrets of ours, for example `database`. */
export type Engine = 'kv1' | 'kv2' | 'other';

/** The engine that serves a path. */
export interface Mount {
  readonly engine: Engine;
  /** How many segments of the path are the mount's. */
  readonly length: number;
}

/** Where a secret is read. */
export interface ReadAddress {
  /** Path below `/v1/`, percent-encoded, with its query. */
  readonly url: string;
  /** The same without the query, for messages. */
  readonly shown: string;
  /** True when the path below the mount begins with `data`, the mistake that a look at Vault's URLs leads to. */
  readonly namesData: boolean;
}

/** The secret that a reference means, whichever of its fields. */
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

/** Where an engine has the secret: `<mount>/<path>`, or `<mount>/data/<path>[?version=N]` for KV version 2. */
export function readAddress({ segments, version }: SecretPath, { engine, length }: Mount): ReadAddress {
  const rest = segments.slice(length);
  const shown = encoded([...segments.slice(0, length), ...(engine === 'kv2' ? ['data'] : []), ...rest]);
  return {
    url: version === null ? shown : `${shown}?version=${version}`,
    shown,
    namesData: rest[0] === 'data',
  };
}

/** Segments as they stand in a URL. */
export function encoded(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

/** A mount may have several segments; of an absolute path only the configured one is known to, any other has one. */
function mountLength(segments: readonly string[], configured: readonly string[]): number {
  const below = segments.length > configured.length && configured.every((name, at) => segments[at] === name);
  return below ? configured.length : 1;
}
