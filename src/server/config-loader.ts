import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlugins, type Plugins } from '../adapters/plugins.js';
import type { CheckedPart, Written } from '../config/check-written.js';
import { loadConfig } from '../config/load.js';
import { Readings } from '../config/readings.js';
import { isReadBeforeVault } from '../config/reference-positions.js';
import { asSettings, validateMain } from '../config/settings-schema.js';
import { createCertificateJudge, type JudgeCertificates } from '../core/certificate.js';
import { ConfigError, type Fault } from '../core/fault.js';
import { NO_STATE, type PlatformState } from '../core/platform-state.js';
import { mcpFaults } from '../features/mcp/faults.js';
import { describeOperations } from '../features/operations.js';
import { compileSchema } from '../json-schema/compile.js';
import { valueAt } from '../json/pointer.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { loadHostModules } from '../plugin-sdk/host-modules.js';
import type { StoreBlock } from '../secrets/store.js';
import { checkVaultSettings } from '../secrets/vault/check-settings.js';
import type { McpSettings } from '../settings/mcp.js';
import type { Settings } from '../settings/settings.js';
import { readTlsMaterial } from '../upstream/tls-material.js';
import { proxyFaults, corsFaults } from './server-faults.js';
import { readServerTls } from './server-tls.js';
import {
  type CheckedAdapterConfig,
  type CheckDeps,
  checkAdapter,
  withOptionAdvice,
} from './state/check-adapter.js';
import {
  prefixFaults,
  type ConfigSection,
  locateFault,
  referenceSyntax,
  toConfigSection,
  withoutCiphertext,
  type CheckedConfiguration,
  type DesiredFiles,
  type AdapterConfig,
} from './state/configuration.js';
import { refusedLiterals } from './state/literal-secrets.js';
import { combine } from './state/load.js';
import { hasStoreBlock, referencesWithoutStore } from './state/resolve.js';

/** Returns faults for references in blocks of the main file that are read before Vault. */
function misplacedReferences({ written, references }: ConfigSection): readonly Fault[] {
  return references
    .filter(({ pointer }) => isReadBeforeVault(pointer))
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'VAULT_REF_MISPLACED',
        message: 'cannot be a reference: it is needed before Vault is read',
        fix: 'Write the value itself, or take it from the environment with ${NAME}.',
      }),
    );
}

interface FilesInput extends CheckDeps, Pick<ConfigLoaderOptions, 'mainText'> {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cache: FileCache;
}

/** Results of earlier reads of files that have not changed since. */
interface FileCache {
  readonly readings: Readings<CheckedPart>;
  /** Checked adapters by the results in {@link readings}. */
  readonly adapters: WeakMap<Written, AdapterConfig>;
}

/** Reads and checks every file without opening a connection. Returns all faults of all files. */
async function readFiles(
  input: FilesInput,
): Promise<{ readonly files: DesiredFiles; readonly faults: readonly Fault[] }> {
  const { path, mainText, env, compile, cache } = input;
  const { readings } = cache;
  const config = await loadConfig({ path, mainText, env, compile, syntax: referenceSyntax, readings });
  const main = toConfigSection(config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => checkCached(written, input)));
  return {
    files: {
      main: main.section,
      adapters: adapters.flatMap(({ adapter }) => adapter ?? []),
      ignored: config.ignored,
    },
    faults: withoutCiphertext([
      ...withOptionAdvice(
        config.faults,
        adapters.map(({ adapter }) => adapter),
      ),
      ...main.faults,
      ...misplacedReferences(main.section),
      ...adapters.flatMap(({ faults }) => faults),
    ]),
  };
}

/**
 * Checks an adapter, or returns the cached result of an unchanged file and plugin. Adapters with faults are not cached, nor are those
 * whose plugin completes its schema, because that can depend on more than the file.
 */
async function checkCached(written: Written, input: FilesInput): Promise<CheckedAdapterConfig> {
  const { adapters } = input.cache;
  const cached = adapters.get(written);
  const plugin = String(valueAt(written.value, '/plugin'));
  if (cached && cached.codeGeneration === input.plugins.generationOf(plugin))
    return { adapter: cached, faults: [] };
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
  /** Text of the main file, if it is not on disk. Adapters are then those in the text. */
  readonly mainText?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Clock for the age of a change to a file, and for the validity of certificates; absent: the system clock. */
  readonly clock?: Clock;
  /** Folder of the plugins; absent: those that come with the product. */
  readonly pluginFolder?: string;
}

/** A loader that reads the configuration on each request. It searches the plugins once. */
export interface ConfigLoader {
  readonly plugins: Plugins;
  /** Reads the files and combines them with the given state of the API, which is empty by default. */
  readonly read: (state?: PlatformState) => Promise<CheckedConfiguration>;
  /**
   * Reads the files, and returns also the faults of certificates that prevent a start. A running server keeps its
   * certificates if their files can no longer be used, and reads the rest of its configuration.
   */
  readonly readForStart: () => Promise<CheckedConfiguration>;
  /** Combines files that were read earlier with the state of the API. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<CheckedConfiguration>;
  /** Returns true if the main file had the block of a store when it was read last. */
  readonly isConfigured: (block: StoreBlock) => boolean;
}

/** Creates the loader of the configuration that `serve`, `check` and `token` begin with. */
export async function createConfigLoader({
  configPath,
  mainText,
  env,
  clock = systemClock,
  pluginFolder,
}: ConfigLoaderOptions): Promise<ConfigLoader> {
  const packageFolders = [dirname(resolve(configPath)), process.cwd()];
  const plugins = await findPlugins(pluginFolder ?? BUILT_IN_PLUGINS, packageFolders, loadHostModules);
  const deps = {
    compile: compileSchema,
    plugins,
    operationNames: describeOperations().map(({ name }) => name),
  };
  const cache = { readings: new Readings<CheckedPart>(clock), adapters: new WeakMap() };
  let latest: DesiredFiles | undefined;
  const read = async (state: PlatformState, withCertificates: boolean): Promise<CheckedConfiguration> => {
    const { files, faults } = await readFiles({ ...deps, path: configPath, mainText, env, cache });
    latest = files;
    const combined = await combine(files, state, deps);
    const ofCertificates = withCertificates
      ? await tlsFaults(files, faults, createCertificateJudge(clock))
      : [];
    return {
      desired: combined.desired,
      faults: [
        ...faults,
        ...vaultFaults(files, faults, env),
        ...ofCertificates,
        ...listenerFaults(files, faults),
        ...toolFaults(files, faults),
        ...refusedLiterals(files),
        ...combined.faults,
      ],
    };
  };
  return {
    plugins,
    read: (state = NO_STATE) => read(state, false),
    readForStart: () => read(NO_STATE, true),
    combine: (files, state) => combine(files, state, deps),
    isConfigured: (block) => latest !== undefined && hasStoreBlock(latest.main, block),
  };
}

/**
 * Returns the settings of the main file as written, for settings that are never references. Throws the faults as a
 * ConfigError.
 */
export function settingsOf({ desired, faults }: CheckedConfiguration): Settings {
  if (faults.length > 0) throw new ConfigError(faults);
  return asSettings(desired.main.written.value);
}

/** Returns the faults of the block `vault`, and of references to stores that are not configured. */
function vaultFaults(
  desired: DesiredFiles,
  faults: readonly Fault[],
  env: ConfigLoaderOptions['env'],
): readonly Fault[] {
  const { written } = desired.main;
  if (hasFaults('/vault', written, faults) || hasFaults('/auth', written, faults)) return [];
  const { vault } = asSettings(written.value);
  const unconfigured = hasFaults('/secrets', written, faults)
    ? []
    : [desired.main, ...desired.adapters].flatMap((section) => referencesWithoutStore(section, desired.main));
  if (!vault) return unconfigured;
  const ofVault = checkVaultSettings(vault, env).map((fault) =>
    locateFault(written, { ...fault, pointer: `/vault${fault.pointer}` }),
  );
  return [...ofVault, ...unconfigured];
}

/** Returns the faults of the certificates of the listener, and of the certificates that connections to Vault use. */
async function tlsFaults(
  { main }: DesiredFiles,
  faults: readonly Fault[],
  judge: JudgeCertificates,
): Promise<readonly Fault[]> {
  const { written } = main;
  const tls = valueAt(written.value, '/server/tls') as Settings['server']['tls'];
  const vaultTls = valueAt(written.value, '/vault/tls') as NonNullable<Settings['vault']>['tls'] | undefined;
  const hasReference = main.references.some(({ pointer }) => pointer.startsWith('/server/tls/'));
  const isServerValid = tls && !hasReference && !hasFaults('/server', written, faults);
  const isVaultValid = vaultTls && !hasFaults('/vault', written, faults);
  const ofServer = isServerValid ? (await readServerTls(tls, judge)).faults : [];
  const ofVault = isVaultValid ? (await readTlsMaterial({ ...vaultTls, insecure: false }, judge)).faults : [];
  return [
    ...ofServer,
    // An agent may write the files of Vault after the start, so only certificates that are there are judged.
    ...prefixFaults('/vault', ofVault).filter(({ code }) => code === 'certificate'),
  ].map((fault) => locateFault(written, fault));
}

/** Returns the faults of the settings of the listener that their schema does not find. */
function listenerFaults({ main: { written } }: DesiredFiles, faults: readonly Fault[]): readonly Fault[] {
  const server = valueAt(written.value, '/server') as Partial<Settings['server']> | undefined;
  if (!server || hasFaults('/server', written, faults)) return [];
  return [...proxyFaults(server), ...corsFaults(server.cors)].map((fault) => locateFault(written, fault));
}

/** Returns the faults of the tools for agents that their schema does not find. */
function toolFaults({ main: { written } }: DesiredFiles, faults: readonly Fault[]): readonly Fault[] {
  const mcp = valueAt(written.value, '/mcp') as McpSettings | undefined;
  if (!mcp || hasFaults('/mcp', written, faults)) return [];
  const isConsoleServed = valueAt(written.value, '/console/enabled') !== false;
  return mcpFaults(mcp, describeOperations(), isConsoleServed).map((fault) => locateFault(written, fault));
}

/** Returns true if a block of the main file has faults. Its value may then not match its type. */
function hasFaults(block: string, { document }: ConfigSection['written'], faults: readonly Fault[]): boolean {
  return faults.some(
    ({ file, pointer }) =>
      file === document.file && (pointer === '' || `${pointer}/`.startsWith(`${block}/`)),
  );
}
