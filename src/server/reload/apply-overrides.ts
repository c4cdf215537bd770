import { dirname, join } from 'node:path';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { PlatformState } from '../../core/platform-state.js';
import type { DesireDeps } from './check-adapter.js';
import type { Desired, DesiredAdapter, DesiredFiles, AdapterConfig } from './desired-state.js';
import { overlay, overlayFaults } from './profile-overlay.js';
import { readRecords } from './read-records.js';
import { valueAt } from '../../core/pointer.js';

/** Folder of the files of adapters, which paths of registered ones are relative to. */
export function adapterFolder(configPath: string): string {
  return join(dirname(configPath), 'adapters');
}

/** What the files say and what was asked for through the API, as one. The faults are those of the active profile. */
export async function combine(
  files: DesiredFiles,
  state: PlatformState,
  deps: DesireDeps,
): Promise<{ readonly desired: Desired; readonly faults: readonly Fault[] }> {
  const filed = new Set(files.adapters.map(({ id }) => id));
  const { main } = files;
  const folder = adapterFolder(main.written.document.file);
  // A file goes before a registration: its owner can see it.
  const registered = state.adapters.filter(({ name }) => !filed.has(name));
  const adapters = [...files.adapters, ...(await readRecords(registered, { ...deps, folder, main }))];
  const desired = {
    main: overlay(main, state.profile),
    adapters: wanted(adapters, state),
    files,
    state,
  };
  return { desired, faults: state.profile ? overlayFaults(state.profile, deps.compile) : [] };
}

function wanted(
  adapters: readonly AdapterConfig[],
  { overrides: allOverrides, profile }: PlatformState,
): readonly DesiredAdapter[] {
  const isListed = listedIn(profile);
  return adapters.map((adapter) => {
    const { id, written } = adapter;
    const overrides = allOverrides.adapter.get(id) ?? NO_OVERRIDES;
    const isEnabled = valueAt(written.value, '/enabled') !== false;
    return { ...adapter, overrides, runs: isEnabled && overrides.wanted !== 'stopped' && isListed(id) };
  });
}

/** Tells which adapters run, by the services of the active profile; a list that is empty leaves it to them. */
export function listedIn(profile: PlatformState['profile']): (id: string) => boolean {
  const services = profile?.document['services'];
  if (!Array.isArray(services) || services.length === 0) return () => true;
  const listed = new Set<unknown>(services);
  return (id) => listed.has(id);
}
