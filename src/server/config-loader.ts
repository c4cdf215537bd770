import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CheckedAdapter, loadConfig, type WrittenAdapter } from '../config/load.js';
import { Readings } from '../config/readings.js';
import { asSettings, validateMain } from '../config/settings-schema.js';
import type { Clock } from '../core/lib/clock.js';
import { ConfigError, type Fault } from '../core/fault.js';
import { valueAt } from '../core/pointer.js';
import { NO_STATE, type PlatformState } from '../core/platform-state.js';
import type { Settings } from '../core/settings.js';
import { compileSchema } from '../json-schema/compile.js';
import { combine } from './reload/apply-overrides.js';
import type { LoadedConfig, DesiredFiles, AdapterConfig } from './reload/desired-state.js';
import {
  type ConfigSection,
  locateFault,
  referenceSyntax,
  toConfigSection,
  withoutCiphertext,
} from './reload/config-section.js';
import { findPlugins, type Plugins } from '../adapters/plugins.js';
import { proxyFaults } from './proxy-faults.js';
import { serverTlsFaults } from './server-tls.js';
import { checkVaultSettings } from '../vault/check-settings.js';
import { VAULT_NOT_CONFIGURED } from '../vault/open-secrets.js';
import { type CheckedAdapterConfig, type CheckDeps, checkAdapter } from './reload/check-adapter.js';

/** Blocks of the main file that are read before Vault. References in the block `vault` have a fault of their own. */
const READ_BEFORE_VAULT = ['/log', '/audit', '/server', '/auth/local'];

/** Parts of these blocks that are opened after Vault, and may be references. */
const OPENED_LAST = /^\/server\/tls\/(?:certFile|keyFile)$|^\/auth\/local\/(?:users|clients)\//;

/** Returns faults for references in blocks of the main file that are read before Vault. */
export function misplacedReferences({ written, references }: ConfigSection): readonly Fault[] {
  return references
    .filter(({ pointer }) =>
      READ_BEFORE_VAULT.some((block) => pointer === block || pointer.startsWith(`${block}/`)),
    )
    .filter(({ pointer }) => !OPENED_LAST.test(pointer))
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'VAULT_REF_MISPLACED',
        message: 'cannot be a reference: it is needed before Vault is read',
        fix: 'Write the value itself, or take it from the environment with ${NAME}.',
      }),
    );
}

interface FilesInput extends CheckDeps {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cache: FileCache;
}

/** Results of earlier reads of files that have not changed since. */
interface FileCache {
  readonly readings: Readings<CheckedAdapter>;
  /** Checked adapters by the results in {@link readings}. */
  readonly adapters: WeakMap<WrittenAdapter, AdapterConfig>;
}

/** Reads and checks every file without opening a connection. Returns all faults of all files. */
async function readFiles(
  input: FilesInput,
): Promise<{ readonly files: DesiredFiles; readonly faults: readonly Fault[] }> {
  const { path, env, compile, cache } = input;
  const { readings } = cache;
  const config = await loadConfig({ path, env, compile, syntax: referenceSyntax, readings });
  const main = toConfigSection('', config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => checkCached(written, input)));
  return {
    files: { main: main.section, adapters: adapters.flatMap(({ adapter }) => adapter ?? []) },
    faults: withoutCiphertext([
      ...config.faults,
      ...main.faults,
      ...misplacedReferences(main.section),
      ...adapters.flatMap(({ faults }) => faults),
    ]),
  };
}

/**
 * Checks an adapter, or returns the cached result of an unchanged file. Adapters with faults are not cached, nor are those
 * whose plugin completes its schema, because that can depend on more than the file.
 */
async function checkCached(written: WrittenAdapter, input: FilesInput): Promise<CheckedAdapterConfig> {
  const { adapters } = input.cache;
  const cached = adapters.get(written);
  if (cached) return { adapter: cached, faults: [] };
  const checked = await checkAdapter(written, input);
  const { adapter, faults } = checked;
  if (adapter && faults.length === 0 && adapter.pluginFault === undefined && !adapter.plugin.optionsFor)
    adapters.set(written, adapter);
  return checked;
}

/** Folder of the plugins that come with the product, next to the compiled sources. */
const BUILT_IN_PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));

export interface ConfigLoaderOptions {
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Clock for the age of a change to a file; absent: the system clock. */
  readonly clock?: Clock;
  /** Folder of the plugins; absent: those that come with the product. */
  readonly pluginFolder?: string;
}

/** A loader that reads the configuration on each request. It searches the plugins once. */
export interface ConfigLoader {
  readonly plugins: Plugins;
  /** Reads the files and combines them with the given state of the API, which is empty by default. */
  readonly read: (state?: PlatformState) => Promise<LoadedConfig>;
  /** Combines files that were read earlier with the state of the API. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<LoadedConfig>;
}

/** Creates the loader of the configuration that `serve`, `check` and `token` begin with. */
export async function createConfigLoader({
  configPath,
  env,
  clock,
  pluginFolder,
}: ConfigLoaderOptions): Promise<ConfigLoader> {
  const packageFolders = [dirname(resolve(configPath)), process.cwd()];
  const plugins = await findPlugins(pluginFolder ?? BUILT_IN_PLUGINS, packageFolders);
  const deps = { compile: compileSchema, plugins };
  const cache = { readings: new Readings<CheckedAdapter>(clock), adapters: new WeakMap() };
  return {
    plugins,
    async read(state = NO_STATE) {
      const { files, faults } = await readFiles({ ...deps, path: configPath, env, cache });
      const combined = await combine(files, state, deps);
      return {
        desired: combined.desired,
        faults: [
          ...faults,
          ...vaultFaults(files, faults, env),
          ...(await tlsFaults(files, faults)),
          ...listenerFaults(files, faults),
          ...combined.faults,
        ],
      };
    },
    combine: (files, state) => combine(files, state, deps),
  };
}

/**
 * Returns the settings of the main file as written, for settings that are never references. Throws the faults as a
 * ConfigError.
 */
export function settingsOf({ desired, faults }: LoadedConfig): Settings {
  if (faults.length > 0) throw new ConfigError(faults);
  return asSettings(desired.main.written.value);
}

/** Returns the faults of the block `vault`, or of references without this block. */
function vaultFaults(
  desired: DesiredFiles,
  faults: readonly Fault[],
  env: ConfigLoaderOptions['env'],
): readonly Fault[] {
  const { written } = desired.main;
  if (hasFaults('/vault', written, faults) || hasFaults('/auth', written, faults)) return [];
  const { vault } = asSettings(written.value);
  if (!vault) return [desired.main, ...desired.adapters].flatMap(referencesWithoutVault);
  return checkVaultSettings(vault, env).map((fault) =>
    locateFault(written, { ...fault, pointer: `/vault${fault.pointer}` }),
  );
}

async function tlsFaults({ main }: DesiredFiles, faults: readonly Fault[]): Promise<readonly Fault[]> {
  const { written } = main;
  const tls = valueAt(written.value, '/server/tls');
  const hasReference = main.references.some(({ pointer }) => pointer.startsWith('/server/tls/'));
  if (!tls || hasReference || hasFaults('/server', written, faults)) return [];
  return (await serverTlsFaults(tls as NonNullable<Settings['server']['tls']>)).map((fault) =>
    locateFault(written, fault),
  );
}

/** Returns the faults of the settings of the listener that their schema does not find. */
function listenerFaults({ main: { written } }: DesiredFiles, faults: readonly Fault[]): readonly Fault[] {
  const server = valueAt(written.value, '/server') as Partial<Settings['server']> | undefined;
  if (!server || hasFaults('/server', written, faults)) return [];
  return proxyFaults(server).map((fault) => locateFault(written, fault));
}

/** Returns true if a block of the main file has faults. Its value may then not match its type. */
function hasFaults(block: string, { document }: ConfigSection['written'], faults: readonly Fault[]): boolean {
  return faults.some(
    ({ file, pointer }) =>
      file === document.file && (pointer === '' || `${pointer}/`.startsWith(`${block}/`)),
  );
}

function referencesWithoutVault({ written, references }: ConfigSection): readonly Fault[] {
  return references.map(({ pointer }) => locateFault(written, { pointer, ...VAULT_NOT_CONFIGURED }));
}
