import { join } from 'node:path';
import type { Log } from '../../core/log.js';
import type { SecretFileSettings } from '../../core/secret-file-settings.js';
import type { Scheduler } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import { groupReferences } from '../cached-secret.js';
import type { LocatedReference } from '../find-references.js';
import { resolveFromCache } from '../resolve-from-cache.js';
import { SecretCache } from '../secret-cache.js';
import { type ChangeNotifier, createChangeNotifier } from '../secret-changes.js';
import { SecretError, type SecretFailure } from '../secret-error.js';
import type { SecretPath } from '../secret-path.js';
import type { SecretProvider } from '../secret-provider.js';
import type { ReadSecret } from '../vault/secret-reader.js';
import { FILE_TEXT } from './file-value.js';
import { FolderWatch } from './folder-watch.js';
import { readSecretFile } from './read-secret-file.js';

/** External dependencies of secrets in files. */
interface FileSecretDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Failure of every reference to a file without the setting `secrets.files`. */
export const FILES_NOT_CONFIGURED: SecretFailure = {
  code: 'FILE_NOT_CONFIGURED',
  message: 'The value is a reference to a file, and no folder of secrets is configured',
  fix: 'Set secrets.files.root to the folder of the secrets, for example /run/secrets.',
};

/** Files have no mount. */
const NO_MOUNT = '';
/** Time between two reads that confirm a value, in seconds. Changes are found earlier. */
const CONFIRM_SECONDS = 60;
const NO_LEASES = { add: () => undefined, scheduleRevocations: () => undefined, close: () => [] };

/**
 * Opens the store of secrets in files. A changed file is read again when its folder has been quiet for half a second.
 * Until a file can be read again, its last good value stays in use. Without settings every reference fails.
 */
export function openFileSecrets(
  settings: SecretFileSettings | null,
  { scheduler, log }: FileSecretDeps,
): SecretProvider {
  const notifier = createRoundNotifier(createChangeNotifier(scheduler, log));
  const secrets = new SecretCache({
    vault: {
      read: settings ? createFileReader(settings, log) : refuse,
      renewLease: (lease) => Promise.resolve(lease),
    },
    mount: NO_MOUNT,
    schedule: { refresh: { intervalSeconds: CONFIRM_SECONDS, jitter: 0 }, random: () => 0 },
    maxStaleSeconds: Infinity,
    scheduler,
    notifier,
    leasesToRevoke: NO_LEASES,
    log,
  });
  // A read of a file costs nothing, so that a refusal is always followed by one.
  const reread = singleFlight(
    (owner: string) => secrets.refreshOwner(owner),
    (owner) => owner,
  );
  const watched =
    settings &&
    new FolderWatch({
      scheduler,
      pollMs: settings.pollSeconds * 1000,
      onChange: () => void notifier.round(() => secrets.refresh()),
    });
  return {
    resolve: (references, freshness = 'read') =>
      resolveFromCache(groupReferences(references, NO_MOUNT), { secrets, freshness, log }),
    watch: (owners, outdatedOwners) => {
      secrets.watch(owners, outdatedOwners);
      if (settings) watched?.setFiles(filesOf(owners, settings.root));
    },
    onChange: (listener) => {
      notifier.onChange(listener);
    },
    refreshAfterRefusal: async (owner) => notifier.isPending(owner) || reread(owner),
    refresh: async () => {
      await notifier.round(() => secrets.refresh());
      notifier.flush();
    },
    status: () => secrets.status(),
    inUse: () => secrets.inUse(),
    close: () => {
      notifier.close();
      watched?.close();
      secrets.close();
      return Promise.resolve();
    },
  };
}

/** A notifier that reports what a round of reads found only after its last read, however slow the file system is. */
interface RoundNotifier extends ChangeNotifier {
  round(reads: () => Promise<void>): Promise<void>;
}

function createRoundNotifier(notifier: ChangeNotifier): RoundNotifier {
  const held = new Set<string>();
  let rounds = 0;
  return {
    ...notifier,
    add: (owner) => {
      if (rounds > 0) held.add(owner);
      else notifier.add(owner);
    },
    isPending: (owner) => held.has(owner) || notifier.isPending(owner),
    async round(reads) {
      rounds += 1;
      try {
        await reads();
      } finally {
        rounds -= 1;
        if (rounds === 0) {
          for (const owner of held) notifier.add(owner);
          held.clear();
        }
      }
    },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new SecretError(FILES_NOT_CONFIGURED));
}

/** Creates the reader of files. It logs a warning for a file that every user may read, once for each file. */
function createFileReader(settings: SecretFileSettings, log: Log): ReadSecret {
  const warned = new Set<string>();
  return async ({ segments, key }: SecretPath) => {
    const { text, isWorldReadable } = await readSecretFile(segments, settings);
    const shown = segments.join('/');
    if (!isWorldReadable) warned.delete(key);
    else if (!warned.has(key)) {
      warned.add(key);
      log.warn('secret file is readable by every user', { path: shown, fix: WORLD_READABLE_FIX });
    }
    return { fields: { [FILE_TEXT]: text }, engine: null, version: null, lease: null, shown, requestId: '' };
  };
}

/** What to do about a file that every user may read. */
export const WORLD_READABLE_FIX =
  'Remove the permission: chmod o-r, defaultMode: 0400 or 0440 of a volume in Kubernetes, mode: 0400 of a secret in Docker.';

function filesOf(owners: ReadonlyMap<string, readonly LocatedReference[]>, root: string): readonly string[] {
  return [...owners.values()].flatMap((references) =>
    references.map(({ reference }) => join(root, ...reference.segments)),
  );
}
