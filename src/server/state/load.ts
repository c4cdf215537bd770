import type { Plugins } from '../../adapters/plugins.js';
import { asSettings } from '../../config/settings-schema.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Log } from '../../core/log.js';
import type { PlatformState } from '../../core/platform-state.js';
import type { CheckDeps } from './check-adapter.js';
import { warnOfConfig } from './config-warnings.js';
import {
  adapterFolder,
  type AdapterConfig,
  type CheckedConfiguration,
  type Desired,
  type DesiredFiles,
  isListedBy,
} from './configuration.js';
import { warnLiterals } from './literal-secrets.js';
import { overlay, overlayFaults } from './profile-overlay.js';
import { readRecords } from './read-records.js';
import { restartNeeded } from './restart-needed.js';
import type { BuildDeps } from './snapshot.js';
import { type RuleDeps, withStoredLimits } from './stored-rules.js';
import { warnUnusedRoles } from './unused-roles.js';

/**
 * What a reload reads again. `files`: the configuration on disk. `records`: the state of the API, with the files as they were
 * read last. A set: the live configuration, with current secrets for the sections of these names.
 */
export type ReloadCause = 'files' | 'records' | ReadonlySet<string>;

export interface LoadDeps {
  /** Reads the files and combines them with the state of the API. */
  readonly read: (state: PlatformState) => Promise<CheckedConfiguration>;
  /** Combines files that were read earlier with the state of the API. */
  readonly combine: (files: DesiredFiles, state: PlatformState) => Promise<CheckedConfiguration>;
  readonly plugins: Pick<Plugins, 'refresh' | 'codeOnDisk'>;
  /** Reads the state of the API. */
  readonly readState: () => Promise<PlatformState>;
  /** The configuration at the start of the process. */
  readonly started: Desired;
  readonly factories: Pick<BuildDeps['factories'], 'operationRoles'>;
  readonly log: Log;
}

/** Loads the configuration of the next snapshot, and warns of what the files have that is valid and probably a mistake. */
export async function loadConfiguration(
  previous: Desired,
  cause: ReloadCause,
  deps: LoadDeps,
): Promise<CheckedConfiguration> {
  if (typeof cause !== 'string') return { desired: previous, faults: [] };
  if (cause === 'records') return deps.combine(previous.files, await deps.readState());
  const { log, started } = deps;
  // An unavailable database must not prevent a reload of the files, which then keeps the last known state.
  const state = await deps.readState().catch((error: unknown) => {
    log.warn('database read failed; keeping the last known registrations', { error });
    return previous.state;
  });
  if (reloadsPlugins(previous))
    for (const change of await deps.plugins.refresh())
      log.info('code of a plugin changed; loading it again', change);
  const loaded = await deps.read(state);
  if (loaded.faults.length > 0) return loaded;
  const { desired } = loaded;
  const keys = restartNeeded(started, desired);
  if (keys.length > 0) log.warn('these changes take effect at the next start', { keys });
  warnUnusedRoles(desired, deps.factories, log);
  warnOfConfig(desired, log, previous);
  warnLiterals(desired.files, log, previous.files);
  return loaded;
}

/** Returns true if a changed plugin is loaded without a restart. */
export function reloadsPlugins({ main }: DesiredFiles): boolean {
  return asSettings(main.written.value).server.reloadPlugins;
}

/** Combines the files with the state of the API. Returns the faults of the active profile. */
export async function combine(
  files: DesiredFiles,
  state: PlatformState,
  deps: CheckDeps & RuleDeps,
): Promise<CheckedConfiguration> {
  const idsInFiles = new Set(files.adapters.map(({ id }) => id));
  const { main } = files;
  const folder = adapterFolder(main.written.document.file);
  // A file takes precedence over a registration, because the owner of the file sees it.
  const registered = state.adapters.filter(({ name }) => !idsInFiles.has(name));
  const adapters = [...files.adapters, ...(await readRecords(registered, { ...deps, folder, main }))];
  const desired = {
    main: withStoredLimits(overlay(main, state.profile), state, deps),
    adapters: withOverrides(adapters, state),
    files,
    state,
  };
  return { desired, faults: state.profile ? overlayFaults(state.profile, deps.compile) : [] };
}

function withOverrides(
  adapters: readonly AdapterConfig[],
  { overrides: allOverrides, profile }: PlatformState,
): readonly AdapterConfig[] {
  const isListed = isListedBy(profile);
  return adapters.map((adapter) => {
    const { id } = adapter;
    const overrides = allOverrides.adapter.get(id) ?? NO_OVERRIDES;
    return { ...adapter, overrides, runs: adapter.runs && overrides.wanted !== 'stopped' && isListed(id) };
  });
}
