import { join } from 'node:path';
import type { Log } from '../../core/log.js';
import type { Scheduler } from '../../lib/clock.js';
import type { SecretFileSettings } from '../../settings/secret-files.js';
import type { SecretFailure } from '../secret-error.js';
import type { SecretPath } from '../secret-path.js';
import { refusedStore, type SecretData, type SecretStore, type StoreChange } from '../store.js';
import { fileValue } from './file-value.js';
import { FolderWatch } from './folder-watch.js';
import { readSecretFile } from './read-secret-file.js';

/** External dependencies of secrets in files. */
interface FileStoreDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Failure of every reference to a file without the setting `secrets.files`. */
export const FILES_NOT_CONFIGURED: SecretFailure = {
  code: 'FILE_NOT_CONFIGURED',
  message: 'The value is a reference to a file, and no folder of secrets is configured',
  fix: 'Set secrets.files.root to the folder of the secrets, for example /run/secrets.',
};

/** Time between two reads that confirm a value, in seconds. Changes are found earlier. */
const CONFIRM_SECONDS = 60;

/**
 * Opens the store of secrets in files. A changed file is read again when its folder has been quiet for half a second.
 * Until a file can be read again, its last good value stays in use. Without settings every reference fails.
 */
export function openFileStore(
  settings: SecretFileSettings | null,
  { scheduler, log }: FileStoreDeps,
): SecretStore {
  if (!settings) return refusedStore(FILES_NOT_CONFIGURED);
  const listeners: ((change: StoreChange) => void)[] = [];
  const folders = new FolderWatch({
    scheduler,
    pollMs: settings.pollSeconds * 1000,
    onChange: () => {
      for (const listener of listeners) listener('content');
    },
  });
  const warn = createWarning(log);
  const readPath = async ({ segments }: SecretPath) => {
    const { text, isWorldReadable } = await readSecretFile(segments, settings);
    const select: SecretData['select'] = (reference) => fileValue(text, reference);
    return { select, isWorldReadable, version: null, shown: segments.join('/') };
  };
  return {
    refresh: {
      intervalSeconds: CONFIRM_SECONDS,
      jitter: 0,
      maxStaleSeconds: Infinity,
      // A read of a file costs nothing.
      afterRefusal: 'always',
      confirmMs: [],
      announcesTogether: true,
    },
    read: async (path) => {
      const { isWorldReadable, ...data } = await readPath(path);
      warn(data.shown, isWorldReadable);
      return { ...data, lease: null, requestId: '' };
    },
    lookUp: async (path) => ({ ...(await readPath(path)), names: [], asked: true, hasValues: true }),
    watch: (paths) => {
      folders.setFiles(paths.map(({ segments }) => join(settings.root, ...segments)));
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      folders.close();
      return Promise.resolve();
    },
  };
}

/** Creates a function that logs a warning for a file that every user may read, once for each file. */
function createWarning(log: Log): (path: string, isWorldReadable: boolean) => void {
  const warned = new Set<string>();
  return (path, isWorldReadable) => {
    if (isWorldReadable && !warned.has(path))
      log.warn('secret file is readable by every user', { path, fix: WORLD_READABLE_FIX });
    if (isWorldReadable) warned.add(path);
    else warned.delete(path);
  };
}

/** What to do about a file that every user may read. */
export const WORLD_READABLE_FIX =
  'Remove the permission: chmod o-r, defaultMode: 0400 or 0440 of a volume in Kubernetes, mode: 0400 of a secret in Docker.';
