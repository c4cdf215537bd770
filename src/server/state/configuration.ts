import { dirname, join } from 'node:path';
import type { ReferenceSyntax, Written } from '../../config/check-written.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import type { ComponentOverrides } from '../../core/component.js';
import { type Fault, faultAt, type LocatedFault } from '../../core/fault.js';
import type { NamedRecord, PlatformState } from '../../core/platform-state.js';
import type { Validator } from '../../core/schema.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';
import { sharedIfEmpty } from '../../lib/shared-if-empty.js';
import { findReferences, type LocatedReference } from '../../secrets/find-references.js';
import { isEncrypted, isReference, parseReference } from '../../secrets/reference.js';

/** A section of the configuration as written: the main file, or one adapter. Pointers are relative to its value. */
export interface ConfigSection {
  /** The adapterId; empty for the main file. Prefix of the pointers if there are several sections. */
  readonly name: string;
  readonly written: Written;
  readonly references: readonly LocatedReference[];
  readonly validate: Validator;
  /** Unescaped literals by pointer, for example `$ENC...` for the text `$$ENC...`. */
  readonly literals: ReadonlyMap<string, string>;
}

/** An adapter as written in a file or a record, checked, with its plugin and what operators requested at run time. */
export interface AdapterConfig extends ConfigSection {
  readonly id: string;
  readonly plugin: AdapterPlugin;
  /** How many times the plugin was loaded: another number replaces the adapter. Undefined if the plugin cannot be used. */
  readonly codeGeneration?: number | undefined;
  /** Digest of the code of a plugin that is a package; undefined for a plugin that comes with the product. */
  readonly codeDigest?: string | undefined;
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
  /** What operators requested; nothing until the files are combined with the state of the API. */
  readonly overrides: ComponentOverrides;
  /** False if the adapter is disabled, stopped, or not listed by the active profile. */
  readonly runs: boolean;
}

/** The configuration in the files. */
export interface DesiredFiles {
  readonly main: ConfigSection;
  readonly adapters: readonly AdapterConfig[];
  /** Warnings about ignored files in the folder of the adapters; absent if there are none. */
  readonly ignored?: readonly Fault[];
}

/** The configuration of the files and the API, before its references are resolved. */
export interface Desired {
  /** The main file with the blocks of the active profile. */
  readonly main: ConfigSection;
  readonly adapters: readonly AdapterConfig[];
  readonly files: DesiredFiles;
  readonly state: PlatformState;
}

/** The configuration with its faults. */
export interface CheckedConfiguration {
  readonly desired: Desired;
  readonly faults: readonly Fault[];
}

/** Returns the sections whose secrets are needed: the main file, and the adapters that run and are valid. */
export function enabledSections({ main, adapters }: Desired): readonly ConfigSection[] {
  return [main, ...adapters.filter(({ runs, recordFault }) => runs && recordFault === undefined)];
}

/** Returns the folder of the adapter files. Paths in registered adapters are relative to it. */
export function adapterFolder(configPath: string): string {
  return join(dirname(configPath), 'adapters');
}

/** Returns the check whether the active profile lists an adapter in its `services`. An empty list includes all adapters. */
export function isListedBy(profile: PlatformState['profile']): (id: string) => boolean {
  const services = profile?.document['services'];
  if (!Array.isArray(services) || services.length === 0) return () => true;
  const listed = new Set<unknown>(services);
  return (id) => listed.has(id);
}

/** Pointers of the settings that are part of a snapshot. All other settings of the main file are opened once at the start. */
export const SETTINGS_OF_SNAPSHOT = [
  '/auth',
  '/server/publicUrl',
  '/server/reloadPlugins',
  '/egress',
  '/roles',
  '/access',
  '/limits',
  '/forms',
  '/notifications',
  '/log/level',
];

/** Settings that only the log, clients and notifications use. A change of these settings does not replace the adapter. */
const IGNORED_KEYS = { log: null, brokers: null, groups: null, tags: null };

/**
 * Returns everything whose change replaces an adapter, including restarts by operators. `value` is the value in its file or
 * record.
 */
export function fingerprintInputOf(
  { plugin, codeGeneration, runs, overrides, recordFault, openTargets }: AdapterConfig,
  value: unknown,
): readonly unknown[] {
  const usedValue = typeof value === 'object' ? { ...value, ...IGNORED_KEYS } : value;
  return [plugin.type, codeGeneration, runs, overrides.restarts, recordFault, openTargets, usedValue];
}

/** Creates a section with its references. `$ENC` values and malformed references are faults. */
export function toConfigSection(
  written: Written,
  validate: Validator,
): { section: ConfigSection; faults: readonly Fault[] } {
  const { references, literals, faults } = findReferences(written.value);
  return {
    section: {
      name: written.id,
      written,
      validate,
      references,
      literals: sharedIfEmpty(new Map(literals.map(({ pointer, text }) => [pointer, text]))),
    },
    faults: faults.map((fault) => locateFault(written, fault)),
  };
}

/** Adds file, line and column to a fault in a section. */
export function locateFault(written: Written, { pointer, code, message, fix }: LocatedFault): Fault {
  return faultAt(written.document, written.at + pointer, { code, message, fix });
}

/** Prefixes the pointers of faults, which are relative to a part, with the pointer of the part. */
export function prefixFaults(pointer: string, faults: readonly LocatedFault[]): readonly LocatedFault[] {
  return faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

/** The syntax of references, which `src/config` needs and `src/secrets` defines. */
export const referenceSyntax: ReferenceSyntax = {
  isReference,
  isPlain(text) {
    const parsed = parseReference(text);
    return parsed.kind === 'literal' && parsed.text === text;
  },
};

/** Masks `$ENC` values that occur as member names in the pointers of faults. */
export function withoutCiphertext(faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, pointer: withMaskedNames(fault.pointer) }));
}

function withMaskedNames(pointer: string): string {
  return pointerTokens(pointer).reduce(
    (path, name) => pointerTo(path, isEncrypted(name) ? '$ENC…' : name),
    '',
  );
}
