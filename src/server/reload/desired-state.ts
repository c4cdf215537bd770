import type { AdapterPlugin } from '../../core/adapter.js';
import type { ComponentOverrides } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import type { NamedRecord, PlatformState } from '../../core/platform-state.js';
import type { ConfigSection } from './config-section.js';

/** An adapter as written, with its plugin. */
export interface AdapterConfig extends ConfigSection {
  readonly id: string;
  readonly plugin: AdapterPlugin;
  /** Why the plugin cannot be used; absent if it can. Without the plugin it is unknown which options are secrets. */
  readonly pluginFault?: string;
  /** The record of an adapter that was registered through the API; absent for an adapter of a file. */
  readonly record?: NamedRecord;
  /**
   * The setting `egress.adapters` for an adapter that is registered, or about to be; absent for an adapter of
   * a file, which may connect to every address.
   */
  readonly openTargets?: readonly string[];
  /** Why a registered adapter is no longer valid; absent if it is. */
  readonly recordFault?: string;
}

/** The configuration in the files. */
export interface DesiredFiles {
  readonly main: ConfigSection;
  readonly adapters: readonly AdapterConfig[];
  /** Warnings about ignored files in the folder of the adapters; absent if there are none. */
  readonly ignored?: readonly Fault[];
}

/** An adapter with the overrides of operators at run time. */
export interface DesiredAdapter extends AdapterConfig {
  readonly overrides: ComponentOverrides;
  /** False if the adapter is disabled, stopped, or not listed by the active profile. */
  readonly runs: boolean;
}

/** The configuration of the files and the API, before its references are resolved. */
export interface Desired {
  /** The main file with the blocks of the active profile. */
  readonly main: ConfigSection;
  readonly adapters: readonly DesiredAdapter[];
  readonly files: DesiredFiles;
  readonly state: PlatformState;
}

/** The configuration with its faults. */
export interface LoadedConfig {
  readonly desired: Desired;
  readonly faults: readonly Fault[];
}

/** Returns the sections whose secrets are needed: the main file, and the adapters that run and are valid. */
export function enabledSections({
  main,
  adapters,
}: Pick<Desired, 'main' | 'adapters'>): readonly ConfigSection[] {
  return [main, ...adapters.filter(({ runs, recordFault }) => runs && recordFault === undefined)];
}
