import { join, dirname } from 'node:path';
import type { Log } from '../../core/log.js';
import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import type { Scheduler } from '../../lib/clock.js';
import { stateOf } from '../../lib/file-state.js';
import { FolderWatchers } from '../../lib/folder-watchers.js';
import type { SecretFileSettings } from '../../settings/secret-files.js';
import type { Reference } from '../reference.js';
import { type SecretFailure, SecretError, type SecretErrorCode } from '../secret-error.js';
import type { SecretPath } from '../secret-path.js';
import { type SecretValue, textOfBase64 } from '../secret-value.js';
import {
  refusedStore,
  type SecretData,
  type SecretStore,
  type StoreBlock,
  type StoreChange,
  unconfigured,
} from '../store.js';
import { readSecretFile } from './read-secret-file.js';

/** External dependencies of secrets in files. */
interface FileStoreDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly isConfigured?: (block: StoreBlock) => boolean;
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
  { scheduler, log, isConfigured }: FileStoreDeps,
): SecretStore {
  if (!settings) return refusedStore(() => unconfigured(FILES_NOT_CONFIGURED, 'secrets.files', isConfigured));
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

/**
 * Returns the value that a reference names in a file: the whole text without one final line break, or a member of its
 * JSON object. Throws a {@link SecretError} with a code `FILE_...` if no usable value exists. No message contains a part
 * of the file.
 */
export function fileValue(text: string, { field, encoding }: Reference): SecretValue {
  const value = field === null ? text.replace(/\r?\n$/, '') : memberOf(text, field);
  if (value === '') {
    const code = field === null ? 'FILE_EMPTY' : 'FILE_FIELD_EMPTY';
    throw fileError(
      code,
      `The ${field === null ? 'file' : `member "${field}"`} is empty`,
      'Write the value; an empty credential is never used.',
    );
  }
  if (encoding === 'utf8') return value;
  const decoded = typeof value === 'string' ? textOfBase64(value) : undefined;
  if (decoded !== undefined) return decoded;
  throw fileError(
    'FILE_ENCODING',
    'The value is not UTF-8 text in base64 (RFC 4648, section 4)',
    'Write it with "base64 -w0", or leave "encoding=base64" out of the reference.',
  );
}

function memberOf(text: string, field: string): SecretValue {
  const document = parsed(text);
  const value = field.startsWith('/') ? valueAt(document, field) : ownMember(document, field);
  if (value === undefined)
    throw fileError(
      'FILE_FIELD_MISSING',
      `The file has no member "${field}"`,
      'Correct the member of the reference, or write the member to the file.',
    );
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw fileError(
    'FILE_FIELD_NOT_SCALAR',
    `The member "${field}" is not a string, a number that JSON keeps exactly, or a boolean`,
    'Name a value inside it with a JSON pointer, "#/<member>/<member>", or write it as a string.',
  );
}

function parsed(text: string): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  if (isJsonObject(document)) return document;
  throw fileError(
    'FILE_NOT_JSON',
    'The reference names a member, and the file is not a JSON object',
    'Leave "#<member>" out of the reference to use the whole text, or write a JSON object to the file.',
  );
}

function fileError(code: SecretErrorCode, message: string, fix: string): SecretError {
  return new SecretError({ code, message, fix });
}

interface FolderWatchInput {
  readonly scheduler: Scheduler;
  /** Time between two checks without notifications, in milliseconds. Not every file system reports changes. */
  readonly pollMs: number;
  /** Called when a file may have changed, after its folder has been quiet for `QUIET_MS`. */
  readonly onChange: () => void;
}

/** Quiet time before a change is reported, in milliseconds. A rotation writes several files. */
const QUIET_MS = 500;
/** Maximum time for which changes that do not end postpone the report, in milliseconds. */
const MAX_QUIET_MS = 5_000;

/**
 * Reports changes of files. It watches their folders, not the files, so that a file is still watched after a rename, and
 * after Kubernetes has replaced the link `..data` in its folder.
 */
class FolderWatch {
  readonly #input: FolderWatchInput;
  readonly #watchers = new FolderWatchers();
  #files: readonly string[] = [];
  /** States of the files at the latest check, by path. */
  #states = new Map<string, string>();
  #cancelReport: (() => void) | undefined;
  /** Time of the first change that was not reported, in milliseconds since 1970. */
  #changedAt: number | undefined;
  #cancelPoll: (() => void) | undefined;
  #closed = false;

  constructor(input: FolderWatchInput) {
    this.#input = input;
    this.#pollLater();
  }

  /** Sets the absolute paths of the files. A file that is new may have changed since it was read, which is a change. */
  setFiles(files: readonly string[]): void {
    if (this.#closed) return;
    const known = new Set(this.#files);
    this.#files = [...new Set(files)];
    this.#watchFolders();
    if (this.#files.some((file) => !known.has(file))) this.#reportLater();
  }

  close(): void {
    this.#closed = true;
    this.#cancelReport?.();
    this.#cancelPoll?.();
    this.#watchers.close();
  }

  #reportLater(): void {
    if (this.#closed) return;
    const { scheduler } = this.#input;
    const now = scheduler.now();
    this.#changedAt ??= now;
    const delayMs = Math.max(0, Math.min(QUIET_MS, this.#changedAt + MAX_QUIET_MS - now));
    this.#cancelReport?.();
    this.#cancelReport = scheduler.after(delayMs, () => {
      this.#changedAt = undefined;
      this.#input.onChange();
    });
  }

  #pollLater(): void {
    if (this.#closed) return;
    this.#cancelPoll = this.#input.scheduler.after(this.#input.pollMs, () => {
      void this.#poll().finally(() => {
        this.#pollLater();
      });
    });
  }

  async #poll(): Promise<void> {
    const files = this.#files;
    const found = await Promise.all(files.map(async (file) => (await stateOf(file))?.text ?? ''));
    const states = new Map(files.map((file, at) => [file, found[at] ?? '']));
    const isChanged = files.some((file) => this.#states.get(file) !== states.get(file));
    this.#states = states;
    if (this.#closed) return;
    // A folder that was replaced has another watcher than the one that was opened for its name.
    if (isChanged) this.#watchers.close();
    this.#watchFolders();
    if (isChanged) this.#reportLater();
  }

  #watchFolders(): void {
    const folders = new Set(this.#files.map((file) => dirname(file)));
    this.#watchers.keep(folders);
    for (const folder of folders)
      this.#watchers.add(folder, () => {
        this.#reportLater();
      });
  }
}
