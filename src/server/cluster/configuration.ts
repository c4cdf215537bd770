import type { Written } from '../../config/check-written.js';
import { validateMain } from '../../config/settings-schema.js';
import type { ComponentOverrides } from '../../core/component.js';
import type { ComponentKind, PlatformState } from '../../core/platform-state.js';
import type { Resolution, SecretSource } from '../../secrets/open-secrets.js';
import { type CheckDeps, checkAdapter } from '../state/check-adapter.js';
import {
  type ConfigSection,
  toConfigSection,
  type Desired,
  enabledSections,
} from '../state/configuration.js';
import { combine, reloadsPlugins } from '../state/load.js';
import type { ActiveSnapshot } from '../state/snapshot.js';

/** A section of the configuration as it was read, without the lines and columns of its values. */
interface PackedSection extends Pick<Written, 'at' | 'value' | 'secrets'> {
  /** The adapterId; empty for the main file. */
  readonly name: string;
  readonly file: string;
}

/** The input of a snapshot as JSON: the files as they were read, the records, and the values of secrets. */
export interface PackedConfiguration {
  readonly generation: number;
  /** Names of the sections of which the main process uses former settings, so that the others keep theirs too. */
  readonly kept: readonly string[];
  readonly main: PackedSection;
  readonly adapters: readonly PackedSection[];
  readonly state: Omit<PlatformState, 'overrides'> & {
    readonly overrides: Readonly<Record<ComponentKind, readonly (readonly [string, ComponentOverrides])[]>>;
  };
  /** Resolutions by the name of the section, followed by the pointer. */
  readonly resolutions: readonly (readonly [string, Resolution])[];
}

/** The latest values of secrets. */
export interface ResolutionCache {
  /** Resolves references with the source and caches the results. */
  readonly resolve: SecretSource['resolve'];
  /** Returns the cached results for the references of these sections. */
  readonly valuesOf: (sections: readonly ConfigSection[]) => readonly (readonly [string, Resolution])[];
  /** Removes the results of all other sections. */
  readonly keepOnly: (sections: readonly ConfigSection[]) => void;
}

/** Caches the results of a source, so that all processes use the values that the main process has checked. */
export function cacheResolutions(source: Pick<SecretSource, 'resolve'>): ResolutionCache {
  let cached = new Map<string, Resolution>();
  const valuesOf = (sections: readonly ConfigSection[]): readonly (readonly [string, Resolution])[] => {
    const used = sections.flatMap(({ name, references }) => references.map(({ pointer }) => name + pointer));
    return used.flatMap((pointer) => {
      const resolution = cached.get(pointer);
      return resolution ? [[pointer, resolution] as const] : [];
    });
  };
  return {
    valuesOf,
    async resolve(...request) {
      const resolutions = await source.resolve(...request);
      for (const [pointer, resolution] of resolutions) cached.set(pointer, resolution);
      return resolutions;
    },
    keepOnly(sections) {
      cached = new Map(valuesOf(sections));
    },
  };
}

/** Packs the input of a snapshot. */
export function packConfiguration(
  { generation, desired, outdated }: ActiveSnapshot,
  resolved: ResolutionCache,
): PackedConfiguration {
  const { files, state } = desired;
  const { adapter, application } = state.overrides;
  return {
    generation,
    kept: [...outdated.keys()],
    main: packSection(files.main),
    adapters: files.adapters.map(packSection),
    state: { ...state, overrides: { adapter: [...adapter], application: [...application] } },
    resolutions: resolved.valuesOf(enabledSections(desired)),
  };
}

function packSection({ name, written: { document, at, value, secrets } }: ConfigSection): PackedSection {
  return { name, file: document.file, at, value, secrets };
}

/**
 * Unpacks a configuration in another process. Reports no faults, because the main process checked the configuration before
 * it packed it.
 */
export async function unpackConfiguration(
  { main, adapters, state, resolutions }: PackedConfiguration,
  deps: CheckDeps,
): Promise<{ readonly desired: Desired; readonly source: Pick<SecretSource, 'resolve'> }> {
  const { section } = toConfigSection(unpackSection(main), (value) => validateMain(value, deps.compile));
  if (reloadsPlugins({ main: section })) await deps.plugins.refresh();
  const written = await Promise.all(adapters.map((part) => checkAdapter(unpackSection(part), deps)));
  const files = { main: section, adapters: written.flatMap(({ adapter }) => adapter ?? []) };
  const allOverrides = {
    adapter: new Map(state.overrides.adapter),
    application: new Map(state.overrides.application),
  };
  const { desired } = await combine(files, { ...state, overrides: allOverrides }, deps);
  const cached = new Map(resolutions);
  return { desired, source: { resolve: () => Promise.resolve(cached) } };
}

function unpackSection({ name, file, at, value, secrets }: PackedSection): Written {
  const locate = () => ({ line: 0, column: 0 });
  const document = { file, value: undefined, locate, locateKey: locate, faults: [], sound: true };
  return { id: name, document, at, value, secrets };
}
