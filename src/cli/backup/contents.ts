import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { previousKeyFile } from '../../auth/key-file.js';
import { listAdapterFiles } from '../../config/adapter-files.js';
import { asSettings } from '../../config/settings-schema.js';
import { ConfigError } from '../../core/fault.js';
import { chainFiles } from '../../features/audit/trail/trail-files.js';
import { valueAt } from '../../json/pointer.js';
import { type ConfigLoaderOptions, createConfigLoader } from '../../server/config-loader.js';
import { sqliteFileOf } from '../../server/open-storage.js';
import type { Desired } from '../../server/state/configuration.js';
import type { Settings } from '../../settings/settings.js';
import { withResolvedSettings } from '../configured-store.js';

/** Names of the data in a backup. Names of further files begin with the last two, as beside their paths. */
export const DATABASE_NAME = 'data/gatehouse.db';
const AUDIT_NAME = 'data/audit.log';
const SIGNING_KEY_NAME = 'data/local-issuer.pem';

/** A file in a backup, and its path at this server. */
export interface PlacedFile {
  readonly name: string;
  readonly path: string;
}

/** The settings that say where the data of a server is. */
export interface DataPlaces extends Pick<Settings, 'audit' | 'log'> {
  readonly desired: Desired;
  readonly storageUrl: string;
  /** File of the SQLite database; absent for one in memory or on a server. */
  readonly database: string | undefined;
  /** Key of the built-in issuer; absent without the issuer. */
  readonly signingKey: string | undefined;
}

/**
 * Reads where the data of a server is. Reads Vault only if `storage.url` is a reference. Throws the faults of the main file as a ConfigError;
 * those of adapters do not matter.
 */
export async function readPlaces(input: ConfigLoaderOptions): Promise<DataPlaces> {
  const { desired, faults } = await (await createConfigLoader(input)).read();
  const { written } = desired.main;
  const own = faults.filter(({ file }) => file === written.document.file);
  if (own.length > 0) throw new ConfigError(own);
  const settings = asSettings(written.value);
  const { audit, auth, log, storage } = settings;
  const isReference = desired.main.references.some(({ pointer }) => pointer === '/storage/url');
  const storageUrl = isReference
    ? await withResolvedSettings({ desired, settings, env: input.env }, ({ storage: { url } }) =>
        Promise.resolve(url),
      )
    : storage.url;
  const signingKey = auth.local.enabled ? auth.local.keyFile : undefined;
  return { desired, audit, log, storageUrl, database: sqliteFileOf(storageUrl), signingKey };
}

/** Returns the files of the audit trail and the keys that exist: the trail, the files that were moved away beside it, and their key. */
export async function auditAndKeys({ audit, signingKey }: DataPlaces): Promise<readonly PlacedFile[]> {
  const keys = signingKey === undefined ? [] : await existing([signingKey, previousKeyFile(signingKey)]);
  return [
    ...(audit.durability === 'store' ? [] : await allTrailFiles(audit.file)),
    ...keys.map((path) => ({ path, name: SIGNING_KEY_NAME + path.slice(signingKey?.length) })),
  ];
}

/** Ends of the names of files beside the audit file that belong to no trail. */
const WORKING_FILE = /\.(?:lock|tmp|reserve)(?:-\w+)?$/;

/** Returns the files of the trail of every process of the server. */
async function allTrailFiles(file: string): Promise<readonly PlacedFile[]> {
  const paths = await chainFiles(file);
  const all = await Promise.all(
    paths.map((path) => trailFilesOf(path, AUDIT_NAME.replace('audit.log', nameOfChain(path, file)))),
  );
  return all.flat();
}

/** Returns the name of an audit file in a backup, from its path and that of the configured file. */
function nameOfChain(path: string, file: string): string {
  return basename(path).slice(0, -basename(file).length) + 'audit.log';
}

async function trailFilesOf(file: string, nameInBackup: string): Promise<readonly PlacedFile[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  return names
    .filter(
      (name) => /^(?:[.-]|$)/.test(name.slice(basename(file).length)) && name.startsWith(basename(file)),
    )
    .filter((name) => !WORKING_FILE.test(name))
    .map((name) => ({
      name: nameInBackup + name.slice(basename(file).length),
      path: join(dirname(file), name),
    }));
}

/** Returns the path of a data file of a backup; `undefined` if the settings have no place for the file. */
export function placeOf(name: string, { audit, database, signingKey }: DataPlaces): string | undefined {
  if (name === DATABASE_NAME) return database;
  const [, worker, of, end = ''] =
    /^data\/(worker-\d+\.)?(audit\.log|local-issuer\.pem)((?:[.-].*)?)$/.exec(name) ?? [];
  if (of === basename(AUDIT_NAME)) {
    const file = join(dirname(audit.file), (worker ?? '') + basename(audit.file));
    return audit.durability === 'store' ? undefined : file + end;
  }
  return of === undefined || signingKey === undefined ? undefined : signingKey + end;
}

/** Returns true for the audit file itself, which the server may write at any time. */
export function isAuditFile({ name }: PlacedFile): boolean {
  return /^data\/(?:worker-\d+\.)?audit\.log$/.test(name);
}

/** Returns the name of the main file of a configuration in its backup. */
export function mainNameOf(configPath: string): string {
  return `config/${basename(configPath)}`;
}

interface ConfigFiles {
  readonly files: readonly PlacedFile[];
  /** Files and folders outside of the folder of the main file, which are not backed up. */
  readonly left: readonly string[];
  /** Number of files of `secrets.files.root` among the files. */
  readonly secretCount: number;
}

/**
 * Returns the main file, the adapter files, and the files that they name in the folder of the main file, such as certificates, also those
 * in named folders.
 */
export async function configFilesOf(configPath: string, places: DataPlaces): Promise<ConfigFiles> {
  const folder = dirname(resolve(configPath));
  const { files: adapters } = await listAdapterFiles(join(folder, 'adapters'));
  const own = [resolve(configPath), ...adapters.map(({ file }) => resolve(file))];
  const named = [...new Set([...own, ...namedPaths(places.desired)])].filter((path) => !isData(path, places));
  const isInside = (path: string): boolean => path.startsWith(folder + sep);
  const files = await Promise.all(named.filter(isInside).map(filesAt));
  const paths = new Set(files.flat().filter((path) => !isData(path, places)));
  return {
    files: [...paths].map((path) => ({
      path,
      name: `config/${relative(folder, path).split(sep).join('/')}`,
    })),
    left: await existing(named.filter((path) => !isInside(path))),
    secretCount: [...paths].filter((path) => isSecretFile(path, places)).length,
  };
}

function isSecretFile(path: string, { desired }: DataPlaces): boolean {
  const root = valueAt(desired.main.written.value, '/secrets/files/root');
  return typeof root === 'string' && path.startsWith(root + sep);
}

/** Returns the path of a file, or those of the files of a folder; nothing for a path that does not exist. */
async function filesAt(path: string): Promise<readonly string[]> {
  const state = await stat(path).catch(() => undefined);
  if (state?.isFile() === true) return [path];
  if (state?.isDirectory() !== true) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns true for files that the server writes, and for files beside them such as `gatehouse.db-wal`. */
function isData(path: string, { audit, log, database, signingKey }: DataPlaces): boolean {
  const ofFirst = join(dirname(path), basename(path).replace(/^worker-\d+\./, ''));
  const isBeside = (file: string, one: string): boolean =>
    one.startsWith(file) && /^(?:[.-]|$)/.test(one.slice(file.length));
  return (
    isBeside(audit.file, ofFirst) ||
    [log.file, database, signingKey].some((file) => typeof file === 'string' && isBeside(file, path))
  );
}

/** Returns the paths that the main file and the adapters of files name. */
function namedPaths({ main, adapters }: Desired): readonly string[] {
  const texts = [main, ...adapters].flatMap(({ written: { value }, validate }) =>
    validate(structuredClone(value)).paths.map((pointer) => valueAt(value, pointer)),
  );
  // References to secrets are no paths, nor are certificates in the configuration itself.
  return texts.filter((text) => typeof text === 'string').filter(isAbsolute);
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, at) => states[at] !== undefined);
}
