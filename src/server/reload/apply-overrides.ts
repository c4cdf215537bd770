import { dirname, join } from 'node:path';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { PlatformState } from '../../core/platform-state.js';
import { valueAt } from '../../json/pointer.js';
import type { CheckDeps } from './check-adapter.js';
import type { Desired, DesiredAdapter, DesiredFiles, AdapterConfig } from './desired-state.js';
import { overlay, overlayFaults } from './profile-overlay.js';
import { readRecords } from './read-records.js';

/** Returns the folder of the adapter files. Paths in registered adapters are relative to it. */
export function adapterFolder(configPath: string): string {
  return join(dirname(configPath), 'adapters');
}

/** Combines the files with the state of the API. Returns the faults of the active profile. */
export async function combine(
  files: DesiredFiles,
  state: PlatformState,
  deps: CheckDeps,
): Promise<{ readonly desired: Desired; readonly faults: readonly Fault[] }> {
  const idsInFiles = new Set(files.adapters.map(({ id }) => id));
  const { main } = files;
  const folder = adapterFolder(main.written.document.file);
  // A file takes precedence over a registration, because the owner of the file sees it.
  const registered = state.adapters.filter(({ name }) => !idsInFiles.has(name));
  const adapters = [...files.adapters, ...(await readRecords(registered, { ...deps, folder, main }))];
  const desired = {
    main: overlay(main, state.profile),
    adapters: withOverrides(adapters, state),
    files,
    state,
  };
  return { desired, faults: state.profile ? overlayFaults(state.profile, deps.compile) : [] };
}

function withOverrides(
  adapters: readonly AdapterConfig[],
  { overrides: allOverrides, profile }: PlatformState,
): readonly DesiredAdapter[] {
  const isListed = isListedBy(profile);
  return adapters.map((adapter) => {
    const { id, written } = adapter;
    const overrides = allOverrides.adapter.get(id) ?? NO_OVERRIDES;
    const isEnabled = valueAt(written.value, '/enabled') !== false;
    return { ...adapter, overrides, runs: isEnabled && overrides.wanted !== 'stopped' && isListed(id) };
  });
}

/** Returns the check whether the active profile lists an adapter in its `services`. An empty list includes all adapters. */
export function isListedBy(profile: PlatformState['profile']): (id: string) => boolean {
  const services = profile?.document['services'];
  if (!Array.isArray(services) || services.length === 0) return () => true;
  const listed = new Set<unknown>(services);
  return (id) => listed.has(id);
}
