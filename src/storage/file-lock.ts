import { hostname } from 'node:os';
import { isBusy, loadSqliteDriver, type SqliteDatabase } from './sqlite-driver.js';
import { createFile, OPEN_MODE_CODE } from './sqlite-file.js';

/** The server that has locked a file, for the message of another server. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly configPath: string;
}

export interface FileLock {
  close(): void;
}

const SHARING_ADVICE =
  'Two servers cannot share it: stop the other server, or set storage.url, audit.file and auth.local.keyFile to files of this server.';

const RIGHTS_ADVICE = 'Allow the user of this process to read and write the files of the folder.';
const PARENT_ADVICE = 'A parent of the path is a file, not a folder: correct storage.url or audit.file.';
const FOLDER_ADVICE: Readonly<Record<string, string>> = {
  [OPEN_MODE_CODE]: 'Every user of this machine may read or write the file. Run: chmod o= on the file.',
  EACCES: RIGHTS_ADVICE,
  EPERM: RIGHTS_ADVICE,
  ENOTDIR: PARENT_ADVICE,
  EEXIST: PARENT_ADVICE,
  EROFS: 'The file system is read-only: let storage.url and audit.file name files on another one.',
  ENOSPC: 'The disk is full: free disk space.',
};

/** Runs work on the file of a lock. Adds its path and the next step to an error, unless another server has the lock. */
function withAdvice<T>(lockPath: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isBusy(cause)) throw cause;
    const { code = 'unknown error', message = '' } =
      cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
    const key = message.includes('disk is full') ? 'ENOSPC' : code;
    const fix = FOLDER_ADVICE[key] ?? 'Correct the path in storage.url or audit.file.';
    throw new Error(`The lock ${lockPath} cannot be created (${key}). ${fix}`, { cause });
  }
}

/**
 * Locks a data file for this server by the file `<path>.lock`, a SQLite database in which a transaction stays open. The operating
 * system releases the lock when the process ends, also after a crash. Throws an Error that names the holder if another server
 * uses the data file.
 */
export function lockFile(path: string, configPath: string, advice = SHARING_ADVICE): FileLock {
  const lockPath = `${path}.lock`;
  const { DatabaseSync } = loadSqliteDriver();
  const database = withAdvice(lockPath, () => {
    createFile(lockPath);
    return new DatabaseSync(lockPath, { timeout: 0 });
  });
  try {
    withAdvice(lockPath, () => {
      writeHolder(database, { pid: process.pid, host: hostname(), configPath });
      // Other processes can still read the holder.
      database.exec('begin immediate');
    });
  } catch (error) {
    const holder = isBusy(error) ? describeHolder(database) : undefined;
    database.close();
    if (holder === undefined) throw error;
    throw new Error(`${path} is in use by ${holder}. ${advice}`, { cause: error });
  }
  return {
    close() {
      database.exec('rollback');
      database.close();
    },
  };
}

// No statement is prepared here: the driver closes a file only after the garbage collection of its statements.

function writeHolder(database: SqliteDatabase, { pid, host, configPath }: LockHolder): void {
  database.exec('begin immediate');
  database.exec('create table if not exists holder (pid, host, config_path)');
  database.exec('delete from holder');
  database.exec(`insert into holder values (${pid}, ${quoted(host)}, ${quoted(configPath)})`);
  database.exec('commit');
}

/** Returns a text as a literal of SQL. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function describeHolder(database: SqliteDatabase): string {
  let holder = 'another server';
  database.function('report', (pid: unknown, host: unknown, configPath: unknown) => {
    holder = `process ${String(pid)} on ${String(host)} with the configuration ${String(configPath)}`;
    return null;
  });
  try {
    database.exec('select report(pid, host, config_path) from holder');
  } catch {
    // The holder has not written its name yet.
  }
  return holder;
}
