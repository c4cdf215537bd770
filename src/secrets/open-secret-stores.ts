import type { SecretStoreSettings } from '../core/secret-file-settings.js';
import type { VaultSettings } from '../core/vault-settings.js';
import { openFileSecrets } from './files/file-source.js';
import type { LocatedReference } from './find-references.js';
import type { SecretProvider } from './secret-provider.js';
import type { SecretStatus } from './secret-status.js';
import { openSecrets, type SecretDeps } from './vault/open-secrets.js';
import type { SecretSource } from './vault/secret-source.js';

/** Settings of all stores of secrets. */
interface SecretSettings {
  readonly vault: VaultSettings | null;
  readonly secrets: SecretStoreSettings;
}

/** Opens all configured stores as one source, which reads each reference from the store of its syntax. */
export function openSecretStores({ vault, secrets }: SecretSettings, deps: SecretDeps): SecretSource {
  return combineStores(openSecrets(vault, deps), openFileSecrets(secrets.files, deps));
}

/** Combines Vault and the store of files. */
function combineStores(vault: SecretSource, files: SecretProvider): SecretSource {
  return {
    ...vault,
    resolve: async (references, freshness) => {
      const resolved = await Promise.all([
        vault.resolve(references.filter(isInVault), freshness),
        files.resolve(references.filter(isInFile), freshness),
      ]);
      return new Map(resolved.flatMap((resolutions) => [...resolutions]));
    },
    watch: (owners, outdatedOwners) => {
      vault.watch(selected(owners, isInVault), outdatedOwners);
      files.watch(selected(owners, isInFile), outdatedOwners);
    },
    onChange: (listener) => {
      vault.onChange(listener);
      files.onChange(listener);
    },
    refreshAfterRefusal: async (owner) => {
      const changed = await Promise.all([vault, files].map((store) => store.refreshAfterRefusal(owner)));
      return changed.includes(true);
    },
    refresh: async () => {
      await Promise.all([vault.refresh(), files.refresh()]);
    },
    status: () => combinedStatus(vault.status(), files.status()),
    vaultState: () => vault.status().state,
    inUse: () => [...vault.inUse(), ...files.inUse()],
    close: async () => {
      await Promise.all([vault.close(), files.close()]);
    },
  };
}

function isInFile({ reference }: LocatedReference): boolean {
  return reference.store === 'file';
}

function isInVault(located: LocatedReference): boolean {
  return !isInFile(located);
}

function selected(
  owners: ReadonlyMap<string, readonly LocatedReference[]>,
  isSelected: (located: LocatedReference) => boolean,
): ReadonlyMap<string, readonly LocatedReference[]> {
  return new Map([...owners].map(([owner, references]) => [owner, references.filter(isSelected)]));
}

const BY_SEVERITY = ['failed', 'degraded', 'running'] as const;

function combinedStatus(vault: SecretStatus, files: SecretStatus): SecretStatus {
  const states = [vault.state, files.state];
  return {
    state: BY_SEVERITY.find((state) => states.includes(state)) ?? 'running',
    staleSeconds: combined(vault.staleSeconds, files.staleSeconds, Math.max),
    errors: combined(vault.errors, files.errors, (first, second) => first + second),
  };
}

function combined(
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
  join: (one: number, other: number) => number,
): ReadonlyMap<string, number> {
  const joined = new Map(first);
  for (const [key, value] of second) joined.set(key, join(joined.get(key) ?? 0, value));
  return joined;
}
