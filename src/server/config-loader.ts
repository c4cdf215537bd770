import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckedAdapter } from '../config/load.js';
import { Readings } from '../config/readings.js';
import { asSettings } from '../config/settings-schema.js';
import type { Clock } from '../core/lib/clock.js';
import { ConfigError, type Fault } from '../core/fault.js';
import { valueAt } from '../core/pointer.js';
import { NO_STATE, type PlatformState } from '../core/platform-state.js';
import type { Settings } from '../core/settings.js';
import { compileSchema } from '../json-schema/compile.js';
import { combine } from './reload/apply-overrides.js';
import type { LoadedConfig, DesiredFiles } from './reload/desired-state.js';
import { readFiles } from './reload/read-files.js';
import { type ConfigSection, locateFault } from './reload/config-section.js';
import { findPlugins, type Plugins } from '../adapters/plugins.js';
import { serverTlsFaults } from './server-tls.js';
import { checkVaultSettings } from '../vault/check-settings.js';
import { VAULT_NOT_CONFIGURED } from '../vault/open-secrets.js';

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
