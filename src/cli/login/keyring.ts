import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '../../json/json-object.js';
import { createFolder } from '../../lib/create-folder.js';
import { isPrivateMode } from '../../lib/private-file.js';

/** What this user keeps for one gatehouse. */
export interface KeyringEntry {
  readonly accessToken: string;
  /** Time of expiry of the access token, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Identity provider of the token and the client that got it; absent for a login with a password. */
  readonly provider?: { readonly issuer: string; readonly clientId: string };
  /** Absent if the identity provider gave none. */
  readonly refreshToken?: string;
  readonly username?: string;
  /** PEM file of the CAs to trust for the server and its identity provider. */
  readonly caFile?: string;
}

interface KeyringFile {
  /** URL of the server of the latest login. */
  readonly current?: string;
  readonly servers: Readonly<Record<string, KeyringEntry>>;
}

/** Tokens of the user of a shell, in one file that only this user may read. */
export interface Keyring {
  readonly file: string;
  /** Returns the entry of a server, or of the latest login. Throws an Error that says what to do. */
  find(url?: string): Promise<{ readonly url: string; readonly entry: KeyringEntry } | undefined>;
  /** Keeps an entry, and makes its server the current one if `isLogin`. */
  keep(url: string, entry: KeyringEntry, terms?: { readonly isLogin: boolean }): Promise<void>;
  remove(url: string): Promise<void>;
  /** Runs work while no other process runs work under the lock of this keyring. */
  locked<T>(work: () => Promise<T>): Promise<T>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the keyring of the user: `gatehouse/tokens.json` in the folder of the XDG Base Directory Specification. */
export function openKeyring(env: Environment): Keyring {
  const home = env['HOME'] ?? homedir();
  // A relative path is not valid (XDG Base Directory Specification).
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  const folder = configured.startsWith('/') ? configured : join(home, '.config');
  const file = join(folder, 'gatehouse', 'tokens.json');

  async function change(next: (before: KeyringFile) => KeyringFile): Promise<void> {
    const text = `${JSON.stringify(next(await readKeyring(file)), null, 2)}\n`;
    createFolder(dirname(file), 0o700);
    // A rename replaces the file as a whole, so that no reader and no crash sees half of it.
    const temporary = `${file}.${randomUUID()}`;
    try {
      await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    file,
    async find(wanted) {
      const { current, servers } = await readKeyring(file);
      const url = wanted ?? current;
      const entry = url === undefined ? undefined : servers[url];
      return url !== undefined && entry ? { url, entry } : undefined;
    },
    keep: (url, entry, terms = { isLogin: false }) =>
      change((before) => ({
        ...(terms.isLogin ? { current: url } : before.current !== undefined && { current: before.current }),
        servers: { ...before.servers, [url]: entry },
      })),
    remove: (url) =>
      change(({ current, servers }) => {
        const rest = Object.fromEntries(Object.entries(servers).filter(([name]) => name !== url));
        const [other] = Object.keys(rest);
        const next = current === url ? other : current;
        return { ...(next !== undefined && { current: next }), servers: rest };
      }),
    locked: (work) => withLock(`${file}.lock`, work),
  };
}

async function readKeyring(file: string): Promise<KeyringFile> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return { servers: {} };
  try {
    if (!isPrivateMode(await handle.stat()))
      throw new Error(`other users may read the tokens in ${file}. Run: chmod 600 ${file}`);
    return parseKeyring(await handle.readFile('utf8'), file);
  } finally {
    await handle.close();
  }
}

function parseKeyring(text: string, file: string): KeyringFile {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && isJsonObject(value['servers'])) return value as unknown as KeyringFile;
  } catch {
    // The text is not JSON. The error below says what to do.
  }
  throw new Error(`${file} is not a keyring of gatehouse. Remove the file, then sign in again.`);
}

/** Interval in which a process looks for a free lock, and age from which a lock belongs to a dead process, in milliseconds. */
const LOCK_POLL_MS = 50;
const STALE_LOCK_MS = 30_000;

/** Holds a lock file while work runs. */
async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  createFolder(dirname(path), 0o700);
  while (!(await tryLock(path))) await delay(LOCK_POLL_MS);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_LOCK_MS) await rm(path, { force: true });
    return false;
  }
}

/** Returns the time at which a JWT expires in milliseconds since 1970; `undefined` if the text has no such claim. */
export function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = isJsonObject(claims) ? claims['exp'] : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the content of a CA file; `undefined` without a file. Throws an Error that names the file. */
export async function readCa(caFile: string | undefined): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  return readFile(caFile, 'utf8').catch(() => {
    throw new Error(`the CA file ${caFile} cannot be read`);
  });
}
