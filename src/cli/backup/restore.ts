import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createFolder } from '../../lib/create-folder.js';
import { syncFolder } from '../../lib/durable-file.js';
import { dataFiles } from '../../server/open-storage.js';
import { type FileLock, lockFile } from '../../storage/file-lock.js';
import { checkSqliteCopy } from '../../storage/sqlite-copy.js';
import { verifyAudit } from '../audit.js';
import { type Command, CONFIG_OPTION_HELP, EXIT } from '../lib/command.js';
import { draftOf, readArchive } from './archive.js';
import { auditAndKeys, type DataPlaces, placeOf, readPlaces } from './contents.js';
import type { BackupTerms } from './create-backup.js';
import type { ArchivedFile, Manifest } from './manifest.js';
import { restoreAdvice } from './postgres-advice.js';
import { backupTerms, oneFile } from './run-backup.js';

/** Puts the files of a backup in their places. */
export const restore: Command = {
  name: 'restore',
  help: `Usage: gatehouse restore FILE [--force] [--config PATH]

Puts the files of a backup where the configuration says, and verifies them: each file by its SHA-256,
the database, and the chain of the audit trail. Writes the configuration of the backup only if there is
none at PATH. Replaces no data without --force, and nothing before the backup was read and checked
as a whole. Refuses while a server uses the data.

Run it as the user of the server, to whom the files then belong.

Options:
  --force         replace the database, the audit trail and the keys
${CONFIG_OPTION_HELP}

Exit codes: 0 restored, 64 wrong usage, 78 invalid configuration, 1 any other failure, also a
restored audit trail that is not intact.`,
  async run(args, io) {
    const line = oneFile(args, io);
    const { file, configPath } = line;
    return backupTerms(line, io, async (terms) => {
      const { manifest, written, keptConfiguration, places } = await restoreBackup(file, terms);
      for (const path of written) io.out(`${path}\n`);
      if (keptConfiguration) io.err(`${configPath} was there, and stays as it is\n`);
      const isElsewhere = places.storageUrl.startsWith('postgres');
      if (isElsewhere) io.err(restoreAdvice(places.storageUrl));
      if (places.audit.durability === 'store' && isElsewhere) return EXIT.ok;
      terms.onStep('verifying the audit trail');
      const expected = manifest.lastAuditRecord;
      const input = { configPath, env: io.env };
      const verified = await verifyAudit({ input, files: [], keyFile: undefined, expected });
      if (verified.whole) {
        io.out(`restored; audit trail intact: ${verified.records} records\n`);
        return EXIT.ok;
      }
      const { place = '', message = '' } = verified.break ?? {};
      io.err(`restored, but the audit trail was already broken in the backup: ${place}: ${message}\n`);
      return EXIT.failed;
    });
  },
};

interface RestoreResult {
  readonly manifest: Manifest;
  readonly written: readonly string[];
  /** True if the configuration was there, and was left as it is. */
  readonly keptConfiguration: boolean;
  readonly places: DataPlaces;
}

/**
 * Puts the files of a backup where the configuration says. Writes the configuration only if there is none. Checks everything before
 * the first file of the data is replaced, and leaves nothing behind if that fails. Throws an Error with advice, also if a server
 * uses the files.
 */
async function restoreBackup(file: string, terms: BackupTerms): Promise<RestoreResult> {
  const restore = new Restore(terms);
  try {
    return await restore.run(file);
  } catch (error) {
    await restore.undo();
    throw error;
  } finally {
    restore.release();
  }
}

class Restore {
  readonly #terms: BackupTerms;
  readonly #configFolder: string;
  #manifest!: Manifest;
  #keptConfiguration = false;
  #places: DataPlaces | undefined;
  readonly #locks: FileLock[] = [];
  /** Files of the configuration that this restore has created. */
  readonly #created: string[] = [];
  /** Complete or partial files, by the paths where they belong. */
  readonly #drafts = new Map<string, string>();

  constructor(terms: BackupTerms) {
    this.#terms = terms;
    this.#configFolder = dirname(resolve(terms.configPath));
  }

  async run(file: string): Promise<RestoreResult> {
    const { configPath, onStep, signal } = this.#terms;
    const reader = {
      begin: async (manifest: Manifest) => {
        this.#manifest = manifest;
        this.#keptConfiguration = await exists(configPath);
        onStep(`reading ${manifest.files.length} files of ${manifest.createdAt}`);
      },
      place: (archived: ArchivedFile) => this.#place(archived),
    };
    await readArchive(file, reader, signal);
    const places = await this.#dataPlaces();
    onStep('checking the database');
    await this.#replace(places);
    return {
      manifest: this.#manifest,
      written: [...this.#created, ...this.#drafts.keys()],
      keptConfiguration: this.#keptConfiguration,
      places,
    };
  }

  /** Removes what this restore has created. */
  async undo(): Promise<void> {
    for (const path of [...this.#created, ...this.#drafts.values()]) await rm(path, { force: true });
  }

  release(): void {
    for (const lock of this.#locks.splice(0)) lock.close();
  }

  async #place({ name }: ArchivedFile): Promise<string | undefined> {
    if (name.startsWith('config/')) return this.#keptConfiguration ? undefined : this.#placeConfig(name);
    const places = await this.#dataPlaces();
    const path = placeOf(name, places);
    if (path === undefined) return undefined;
    createFolder(dirname(path), 0o700);
    const draft = draftOf(path);
    this.#drafts.set(path, draft);
    return draft;
  }

  async #placeConfig(name: string): Promise<string> {
    const { configPath } = this.#terms;
    const path =
      name === this.#manifest.main
        ? resolve(configPath)
        : join(this.#configFolder, name.slice('config/'.length));
    if (await exists(path))
      throw new Error(
        `${path} exists, but ${configPath} does not. Move the file away, or restore into another folder.`,
      );
    createFolder(dirname(path));
    this.#created.push(path);
    return path;
  }

  /** Reads where the data belongs, when the configuration is there, and locks these files. */
  async #dataPlaces(): Promise<DataPlaces> {
    if (this.#places) return this.#places;
    const { configPath, force } = this.#terms;
    const places = await readPlaces(this.#terms);
    if (this.#manifest.database === 'sqlite' && places.database === undefined)
      throw new Error(
        `The backup has a SQLite database, and storage.url of ${configPath} names another one. Set it to sqlite:/absolute/path for the restore.`,
      );
    for (const path of dataFiles({ storage: { url: places.storageUrl }, audit: places.audit }))
      this.#locks.push(lockFile(path, resolve(configPath), 'Stop the server before the restore.'));
    await this.#checkPresent(places, force);
    return (this.#places = places);
  }

  /** Refuses data that exists without `force`, and a file of another audit trail in any case. */
  async #checkPresent(places: DataPlaces, force: boolean): Promise<void> {
    const present = [...(await auditAndKeys(places)).map(({ path }) => path)];
    if (places.database !== undefined && (await exists(places.database))) present.unshift(places.database);
    const [first] = present;
    if (first !== undefined && !force)
      throw new Error(`${first} exists. Restore into an empty folder, or replace the data with --force.`);
    const replaced = new Set(this.#manifest.files.map(({ name }) => placeOf(name, places)));
    const stranger = present.find((path) => !replaced.has(path));
    if (stranger !== undefined)
      throw new Error(`${stranger} is not in the backup, and belongs to other data. Move it away first.`);
  }

  async #replace({ database }: DataPlaces): Promise<void> {
    const draft = database === undefined ? undefined : this.#drafts.get(database);
    if (database !== undefined && draft !== undefined) {
      checkSqliteCopy(draft);
      // They belong to the database that is replaced.
      for (const end of ['-wal', '-shm']) await rm(database + end, { force: true });
    }
    for (const [path, complete] of this.#drafts) await rename(complete, path);
    for (const folder of new Set([...this.#created, ...this.#drafts.keys()].map((path) => dirname(path))))
      await syncFolder(folder);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
