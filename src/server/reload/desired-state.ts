import type { AdapterPlugin } from '../../core/adapter.js';
import type { ComponentOverrides } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { NamedRecord, PlatformState } from '../../core/platform-state.js';
import type { ConfigSection } from './config-section.js';

/** One adapter as written, with the plugin that it names. */
export interface AdapterConfig extends ConfigSection {
  readonly id: string;
  readonly plugin: AdapterPlugin;
  /** Why its plugin cannot be used, where it cannot: nobody can tell then which of its options are secrets. */
  readonly unusable?: string;
  /** Where it was registered through the API; absent for an adapter of a file. */
  readonly record?: NamedRecord;
  /** Why a registered adapter cannot be used, though it could when it was registered. */
  readonly spoilt?: string;
}

/** What the files of the configuration say. */
export interface DesiredFiles {
  readonly main: ConfigSection;
  readonly adapters: readonly AdapterConfig[];
}

/** An adapter, and what operators want of it at run time. */
export interface DesiredAdapter extends AdapterConfig {
  readonly overrides: ComponentOverrides;
  /** False where it is switched off, stopped, or left out by the active profile. */
  readonly runs: boolean;
}

/** What operators ask for, in files and through the API: read, valid as written, and nothing done about it yet. */
export interface Desired {
  /** The main file, with what the active profile lays over it. */
  readonly main: ConfigSection;
  readonly adapters: readonly DesiredAdapter[];
  readonly files: DesiredFiles;
  readonly state: PlatformState;
}

/** What operators ask for, and what is wrong with it. */
export interface LoadedConfig {
  readonly desired: Desired;
  readonly faults: readonly Fault[];
}

/** The pieces whose secrets are needed: an adapter that does not run, or cannot be used, needs none. */
export function enabledSections({
  main,
  adapters,
}: Pick<Desired, 'main' | 'adapters'>): readonly ConfigSection[] {
  return [main, ...adapters.filter(({ runs, spoilt }) => runs && spoilt === undefined)];
}
