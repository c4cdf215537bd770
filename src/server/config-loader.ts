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
import { type ConfigSection, locateFault, toConfigSection } from './reload/config-section.js';
import { findPlugins, type Plugins } from '../adapters/plugins.js';
import { serverTlsFaults } from './server-tls.js';
import { checkVaultSettings } from '../vault/check-settings.js';
import { VAULT_NOT_CONFIGURED } from '../vault/open-secrets.js';
import { type CheckedAdapterConfig, type DesireDeps, desireAdapter } from './reload/check-adapter.js';
import { referenceSyntax } from './reload/reference-syntax.js';
import { withoutCiphertext } from './reload/without-ciphertext.js';

/** What is needed before Vault can be asked. The block `vault` itself has words of its own. */
const BEFORE_SECRETS = ['/log', '/audit', '/server', '/auth/local'];

/** What of it is opened last of all. */
const AFTER_SECRETS = /^\/server\/tls\/(?:certFile|keyFile)$|^\/auth\/local\/(?:users|clients)\//;

/** Faults for references of the main file that could not be resolved in time. */
export function misplacedReferences({ written, references }: ConfigSection): readonly Fault[] {
  return references
    .filter(({ pointer }) =>
      BEFORE_SECRETS.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
    )
    .filter(({ pointer }) => !AFTER_SECRETS.test(pointer))
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'VAULT_REF_MISPLACED',
        message: 'cannot be a reference: it is needed before Vault is asked',
        fix: 'Write the value itself, or take it from the environment with ${NAME}.',
      }),
    );
}

interface FilesInput extends DesireDeps {
  /** The main configuration file. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly known: KnownFiles;
}

/** What former readings came to, for files that nobody has touched since. */
interface KnownFiles {
  readonly readings: Readings<CheckedAdapter>;
  /** By what {@link readings} keeps. */
  readonly adapters: WeakMap<WrittenAdapter, AdapterConfig>;
}

/** Reads every file and checks it as far as can be without opening anything; all faults of all files in one run. */
async function readFiles(
  input: FilesInput,
): Promise<{ readonly files: DesiredFiles; readonly faults: readonly Fault[] }> {
  const { path, env, compile, known } = input;
  const { readings } = known;
  const config = await loadConfig({ path, env, compile, syntax: referenceSyntax, readings });
  const main = toConfigSection('', config.main, (value) => validateMain(value, compile));
  const adapters = await Promise.all(config.adapters.map((written) => toDesired(written, input)));
  return {
    files: { main: main.piece, adapters: adapters.flatMap(({ adapter }) => adapter ?? []) },
    faults: withoutCiphertext([
      ...config.faults,
      ...main.faults,
      ...misplacedReferences(main.piece),
      ...adapters.flatMap(({ faults }) => faults),
    ]),
  };
}

/** As before where nothing about it can be another: its file is the same, and its plugin looks at nothing else. */
async function toDesired(written: WrittenAdapter, input: FilesInput): Promise<CheckedAdapterConfig> {
  const { adapters } = input.known;
  const known = adapters.get(written);
  if (known) return { adapter: known, faults: [] };
  const desired = await desireAdapter(written, input);
  const { adapter, faults } = desired;
  if (adapter && faults.length === 0 && adapter.unusable === undefined && !adapter.plugin.optionsFor)
    adapters.set(written, adapter);
  return desired;
}

/** The plugins that come with the product, next to the compiled sources. */
const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));

export interface ConfigLoaderOptions {
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells how long ago a file was changed; absent: the clock of the system. */
  readonly clock?: Clock;
  /** Folder of the plugins; absent: those that come with the product. */
  readonly pluginFolder?: string;
}

/** Reads a configuration again whenever it is asked to; the plugins are found once. */
export interface ConfigLoader {
  readonly plugins: Plugins;
  /** What the files say, and what was asked for through the API: nothing, unless told. */
  readonly read: (state?: PlatformState) => Promise<LoadedConfig>;
  /** The same with files that were read before. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<LoadedConfig>;
}

/** What `start`, `check` and `token` begin with: everything that can be known by reading files. */
export async function createConfigLoader({
  configPath,
  env,
  clock,
  pluginFolder,
}: ConfigLoaderOptions): Promise<ConfigLoader> {
  const homes = [dirname(resolve(configPath)), process.cwd()];
  const plugins = await findPlugins(pluginFolder ?? PLUGINS, homes);
  const deps = { compile: compileSchema, plugins };
  const known = { readings: new Readings<CheckedAdapter>(clock), adapters: new WeakMap() };
  return {
    plugins,
    async read(state = NO_STATE) {
      const { files, faults } = await readFiles({ ...deps, path: configPath, env, known });
      const combined = await combine(files, state, deps);
      return {
        desired: combined.desired,
        faults: [
          ...faults,
          ...vaultFaults(files, faults, env),
          ...(await tlsFaults(files, faults)),
          ...combined.faults,
        ],
      };
    },
    combine: (files, state) => combine(files, state, deps),
  };
}

/** The main file as written, for what never comes from Vault. Throws the faults as a ConfigError. */
export function settingsOf({ desired, faults }: LoadedConfig): Settings {
  if (faults.length > 0) throw new ConfigError(faults);
  return asSettings(desired.main.written.value);
}

/** What is wrong with the block `vault`, or with having references without one. */
function vaultFaults(
  desired: DesiredFiles,
  faults: readonly Fault[],
  env: ConfigLoaderOptions['env'],
): readonly Fault[] {
  const { written } = desired.main;
  if (isSpoilt('/vault', written, faults) || isSpoilt('/auth', written, faults)) return [];
  const { vault } = asSettings(written.value);
  if (!vault) return [desired.main, ...desired.adapters].flatMap(withoutVault);
  return checkVaultSettings(vault, env).map((fault) =>
    locateFault(written, { ...fault, pointer: `/vault${fault.pointer}` }),
  );
}

async function tlsFaults({ main }: DesiredFiles, faults: readonly Fault[]): Promise<readonly Fault[]> {
  const { written } = main;
  const tls = valueAt(written.value, '/server/tls');
  const isReferred = main.references.some(({ pointer }) => pointer.startsWith('/server/tls/'));
  if (!tls || isReferred || isSpoilt('/server', written, faults)) return [];
  return (await serverTlsFaults(tls as NonNullable<Settings['server']['tls']>)).map((fault) =>
    locateFault(written, fault),
  );
}

/** True when a part of the main file has been complained of: it is not what its type says, and cannot be looked into. */
function isSpoilt(part: string, { document }: ConfigSection['written'], faults: readonly Fault[]): boolean {
  return faults.some(
    ({ file, pointer }) => file === document.file && (pointer === '' || `${pointer}/`.startsWith(`${part}/`)),
  );
}

function withoutVault({ written, references }: ConfigSection): readonly Fault[] {
  return references.map(({ pointer }) => locateFault(written, { pointer, ...VAULT_NOT_CONFIGURED }));
}
