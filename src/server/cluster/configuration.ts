import type { Written } from '../../config/check-written.js';
import type { WrittenAdapter } from '../../config/load.js';
import { validateMain } from '../../config/settings-schema.js';
import type { ComponentOverrides } from '../../core/component.js';
import type { ComponentKind, PlatformState } from '../../core/platform-state.js';
import { combine } from '../reload/apply-overrides.js';
import { type DesireDeps, desireAdapter } from '../reload/check-adapter.js';
import { type Desired, enabledSections } from '../reload/desired-state.js';
import type { ActiveSnapshot } from '../reload/active-snapshot.js';
import { type ConfigSection, toConfigSection } from '../reload/config-section.js';
import type { Resolution, SecretSource } from '../../vault/open-secrets.js';

/** A part of the configuration as it was read, without the places of its members. */
interface PackedPart extends Pick<Written, 'at' | 'value' | 'secrets'> {
  /** The adapterId; empty for the main file. */
  readonly name: string;
  readonly file: string;
}

/** What the main process made its live snapshot of: files as they were read, records, and the values of secrets. */
export interface PackedConfiguration {
  readonly generation: number;
  readonly main: PackedPart;
  readonly adapters: readonly PackedPart[];
  readonly state: Omit<PlatformState, 'overrides'> & {
    readonly overrides: Readonly<Record<ComponentKind, readonly (readonly [string, ComponentOverrides])[]>>;
  };
  /** By the name of the part with the pointer behind it. */
  readonly resolutions: readonly (readonly [string, Resolution])[];
}

/** The values of secrets as they were resolved last. */
export interface ResolvedLast {
  /** The same source, which notes what it gives. */
  readonly resolve: SecretSource['resolve'];
  /** The values that these pieces refer to. */
  readonly valuesOf: (sections: readonly ConfigSection[]) => readonly (readonly [string, Resolution])[];
  /** Forgets the others. */
  readonly keepOnly: (sections: readonly ConfigSection[]) => void;
}

/** Makes a memory of what a source gives, so that all processes work with the values that were checked once. */
export function rememberResolved(source: Pick<SecretSource, 'resolve'>): ResolvedLast {
  let known = new Map<string, Resolution>();
  const valuesOf = (sections: readonly ConfigSection[]): readonly (readonly [string, Resolution])[] => {
    const used = sections.flatMap(({ name, references }) => references.map(({ pointer }) => name + pointer));
    return used.flatMap((pointer) => {
      const resolution = known.get(pointer);
      return resolution ? [[pointer, resolution] as const] : [];
    });
  };
  return {
    valuesOf,
    async resolve(...asked) {
      const resolutions = await source.resolve(...asked);
      for (const [pointer, resolution] of resolutions) known.set(pointer, resolution);
      return resolutions;
    },
    keepOnly(sections) {
      known = new Map(valuesOf(sections));
    },
  };
}

/** Packs what a snapshot was made of. */
export function packConfiguration(
  { generation, desired }: Pick<ActiveSnapshot, 'generation' | 'desired'>,
  resolved: Pick<ResolvedLast, 'valuesOf'>,
): PackedConfiguration {
  const { files, state } = desired;
  const { adapter, application } = state.overrides;
  return {
    generation,
    main: packPart(files.main),
    adapters: files.adapters.map(packPart),
    state: { ...state, overrides: { adapter: [...adapter], application: [...application] } },
    resolutions: resolved.valuesOf(enabledSections(desired)),
  };
}

function packPart({ name, written: { document, at, value, secrets } }: ConfigSection): PackedPart {
  return { name, file: document.file, at, value, secrets };
}

/** Reads a packed configuration in another process. It was checked before it was packed, so there are no faults to tell. */
export async function unpackConfiguration(
  { main, adapters, state, resolutions }: PackedConfiguration,
  deps: DesireDeps,
): Promise<{ readonly desired: Desired; readonly source: Pick<SecretSource, 'resolve'> }> {
  const { piece: section } = toConfigSection('', unpackPart(main), (value) =>
    validateMain(value, deps.compile),
  );
  const written = await Promise.all(adapters.map((part) => desireAdapter(unpackPart(part), deps)));
  const files = { main: section, adapters: written.flatMap(({ adapter }) => adapter ?? []) };
  const allOverrides = {
    adapter: new Map(state.overrides.adapter),
    application: new Map(state.overrides.application),
  };
  const { desired } = await combine(files, { ...state, overrides: allOverrides }, deps);
  const known = new Map(resolutions);
  return { desired, source: { resolve: () => Promise.resolve(known) } };
}

function unpackPart({ name, file, at, value, secrets }: PackedPart): WrittenAdapter {
  const locate = () => ({ line: 0, column: 0 });
  const document = { file, value: undefined, locate, locateKey: locate, faults: [], sound: true };
  return { id: name, document, at, value, secrets };
}
