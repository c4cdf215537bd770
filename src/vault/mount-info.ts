import { ownMember } from '../core/json-object.js';
import { encoded, type Engine, type Mount, type SecretPath } from './secret-path.js';
import type { VaultClient } from './vault.js';
import { VaultError } from './vault-error.js';
import type { WithToken } from './authenticated-request.js';

/** Lookup of the engines that serve paths. */
export interface MountLookup {
  /**
   * Returns the engine of a path. Throws a {@link VaultError} with the advice to set `vault.kvVersion` if
   * Vault does not report the engine.
   */
  find(path: SecretPath): Promise<Mount>;
  /** Forgets the engine of a path. Its mount may have been created again with another engine. */
  forget(path: SecretPath): void;
}

interface KnownMount {
  readonly segments: readonly string[];
  readonly engine: Engine;
}

/**
 * Creates a lookup that returns the configured engine for every path. The mount is the configured mount or
 * the first segment.
 */
export function fixedMounts(kvVersion: 1 | 2): MountLookup {
  const engine = kvVersion === 1 ? 'kv1' : 'kv2';
  return {
    find: ({ mountLength }) => Promise.resolve({ engine, length: mountLength }),
    forget: () => undefined,
  };
}

/**
 * Creates a lookup that asks Vault once for each mount (`sys/internal/ui/mounts`, the check that Vault's own
 * command line makes).
 */
export function askedMounts(client: Pick<VaultClient, 'read'>, withToken: WithToken): MountLookup {
  const known = new Set<KnownMount>();
  const asking = new Map<string, Promise<Mount>>();

  const find = async (path: SecretPath): Promise<Mount> => {
    const found = [...known].find(({ segments }) => startsWith(path.segments, segments));
    if (found) return { engine: found.engine, length: found.segments.length };
    // Paths with the same first segment are probably in one mount: the first asks, and the others use its
    // result.
    const [name = ''] = path.segments;
    const running = asking.get(name);
    if (running) {
      await running.catch(() => undefined);
      return find(path);
    }
    const mine = ask(path).finally(() => asking.delete(name));
    asking.set(name, mine);
    return mine;
  };

  async function ask(path: SecretPath): Promise<Mount> {
    const mount = await askVault(path, client, withToken);
    known.add(mount);
    return { engine: mount.engine, length: mount.segments.length };
  }

  return {
    find,
    forget: (path) => {
      for (const mount of known) if (startsWith(path.segments, mount.segments)) known.delete(mount);
    },
  };
}

async function askVault(
  path: SecretPath,
  client: Pick<VaultClient, 'read'>,
  withToken: WithToken,
): Promise<KnownMount> {
  const url = `sys/internal/ui/mounts/${encoded(path.segments)}`;
  try {
    const { data } = await withToken(url, (token) => client.read(url, token));
    const segments = mountSegments(ownMember(data, 'path'), path.segments);
    if (segments) return { segments, engine: engineOf(data) };
  } catch (error) {
    if (!(error instanceof VaultError) || !(error.facts.status === 403 || error.facts.status === 404))
      throw error;
    throw undetected(path, error.code);
  }
  throw undetected(path, 'VAULT_BAD_RESPONSE');
}

/**
 * Returns the segments of the mount. In a namespace, Vault may report the mount with the namespace before it,
 * which the requested path does not contain.
 */
function mountSegments(mount: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof mount !== 'string') return undefined;
  const named = mount.replace(/\/$/, '').split('/');
  return named
    .map((_, at) => named.slice(at))
    .find((segments) => segments[0] !== '' && startsWith(path, segments));
}

function startsWith(path: readonly string[], mount: readonly string[]): boolean {
  return path.length > mount.length && mount.every((segment, at) => path[at] === segment);
}

/** Returns the engine of a reply. Old versions of Vault call KV version 1 `generic`. */
function engineOf(data: unknown): Engine {
  const type = ownMember(data, 'type');
  if (type !== 'kv' && type !== 'generic') return 'other';
  return ownMember(ownMember(data, 'options'), 'version') === '2' ? 'kv2' : 'kv1';
}

function undetected({ key }: SecretPath, code: VaultError['code']): VaultError {
  return new VaultError({
    code,
    message: `Vault does not say which engine serves "${key}"`,
    fix: 'Set vault.kvVersion to 1 or 2, or give the role a policy for the path; an unknown mount looks the same.',
  });
}
