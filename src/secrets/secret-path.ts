import type { LocatedReference } from './find-references.js';
import type { Reference } from './reference.js';

/** Path of one read; the read serves every reference with the same `key`. */
export interface SecretPath {
  readonly store: 'vault' | 'file';
  /** Percent-encoded path with its mount and, if pinned, its version: the identity of the read. */
  readonly key: string;
  /** Decoded segments, including those of the mount. */
  readonly segments: readonly string[];
  /** Number of segments of the mount, according to the settings. */
  readonly mountLength: number;
  /** True if the path is below the configured mount. The mount of any other path is not known. */
  readonly isBelowMount: boolean;
  readonly version: number | null;
}

/** Returns the path of the secret that a reference names, whatever its field. */
export function secretPath(reference: Reference, configuredMount: string): SecretPath {
  if (reference.store === 'file') return filePath(reference);
  const mount = configuredMount.split('/');
  const { version, absolute } = reference;
  const segments = absolute ? reference.segments : [...mount, ...reference.segments];
  const shown = encoded(segments);
  const isBelowMount = segments.length > mount.length && mount.every((name, at) => segments[at] === name);
  return {
    store: 'vault',
    key: version === null ? shown : `${shown}?version=${version}`,
    segments,
    // A mount can have several segments. Of an absolute path only the configured mount is known.
    mountLength: isBelowMount ? mount.length : 1,
    isBelowMount,
    version,
  };
}

/** Returns the path of the current version of a secret below the configured mount. */
export function pathBelowMount(segments: readonly string[], mount: string): SecretPath {
  return secretPath({ absolute: false, segments, version: null, encoding: 'utf8', field: null }, mount);
}

/** Returns the path of a file. Its key cannot be that of a path in Vault, where a colon is encoded. */
function filePath({ segments }: Reference): SecretPath {
  const key = `file:${encoded(segments)}`;
  return { store: 'file', key, segments, mountLength: 0, isBelowMount: false, version: null };
}

export function encoded(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

/** Returns a path in percent encoding as a policy names it: without the encoding. */
export function policyPath(path: string): string {
  return path
    .split('/')
    .map((segment) => decodeURIComponent(segment))
    .join('/');
}

/** References that one read resolves. */
export interface ReferenceGroup {
  readonly path: SecretPath;
  readonly members: readonly LocatedReference[];
}

/** Groups references by the read that resolves them. */
export function groupReferences(
  references: readonly LocatedReference[],
  mount: string,
): readonly ReferenceGroup[] {
  const groups = new Map<string, { path: SecretPath; members: LocatedReference[] }>();
  for (const located of references) {
    const path = secretPath(located.reference, mount);
    const group = groups.get(path.key) ?? { path, members: [] };
    group.members.push(located);
    groups.set(path.key, group);
  }
  return [...groups.values()];
}
