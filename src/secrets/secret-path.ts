import type { VaultSettings } from '../domain/settings.js';
import type { Reference } from './reference.js';

/** What one read fetches: every reference with the same `key` is served by it. */
export interface SecretPath {
  /** Path below `/v1/`, percent-encoded, with its query: the identity of the read. */
  readonly key: string;
  /** The same without the query, for messages. */
  readonly shown: string;
  readonly mount: readonly string[];
  readonly version: number | null;
  /** True when the path below the mount begins with `data`, the mistake that a look at Vault's URLs leads to. */
  readonly namesData: boolean;
}

/** Where a reference is read: `<mount>/<path>` for KV version 1, `<mount>/data/<path>[?version=N]` for version 2. */
export function secretPath(
  reference: Reference,
  { mount: configured, kvVersion }: Pick<VaultSettings, 'mount' | 'kvVersion'>,
): SecretPath {
  const { mount, rest } = placeBelowMount(reference, configured.split('/'));
  const shown = [...mount, ...(kvVersion === 2 ? ['data'] : []), ...rest].map(encodeURIComponent).join('/');
  return {
    key: reference.version === null ? shown : `${shown}?version=${reference.version}`,
    shown,
    mount,
    version: reference.version,
    namesData: rest[0] === 'data',
  };
}

/** A mount may have several segments; of an absolute path only the configured one is known to, any other has one. */
function placeBelowMount(
  { absolute, segments }: Reference,
  configured: readonly string[],
): { mount: readonly string[]; rest: readonly string[] } {
  if (!absolute) return { mount: configured, rest: segments };
  const below = segments.length > configured.length && configured.every((name, at) => segments[at] === name);
  const length = below ? configured.length : 1;
  return { mount: segments.slice(0, length), rest: segments.slice(length) };
}
