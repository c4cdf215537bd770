import { isDeepStrictEqual } from 'node:util';
import { asSettings } from '../../config/settings-schema.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { valueAt } from '../../json/pointer.js';
import type { ServerSettings } from '../../settings/settings.js';
import {
  type AdapterConfig,
  type ConfigSection,
  type Desired,
  fingerprintInputOf,
  SETTINGS_OF_SNAPSHOT,
} from './configuration.js';
import { fingerprintOf, type Handle, type Origin, usedFiles } from './handle.js';
import type { Resolved, ResolvedAdapterConfig, ResolvedSection, WithSecrets } from './resolve.js';
import type { ActiveSnapshot, MainParts } from './snapshot.js';

/** What the next snapshot has in common with the previous one, and what has to be built. */
export interface Plan {
  readonly generation: number;
  readonly desired: Desired;
  readonly main: KeptPart<MainParts> | PartToBuild<MainParts, WithSecrets<ConfigSection>>;
  /** Settings of the certificates of the listener; null: nothing is read, and those in use stay. */
  readonly listenerTls: ServerSettings['tls'];
  /** In the order of the configuration. */
  readonly adapters: readonly (KeptPart<AdapterInstance> | AdapterToBuild)[];
}

/** A part of the previous snapshot that stays. */
interface KeptPart<T> {
  readonly kept: Handle<T>;
  /** Why it is outdated; undefined if it is up to date. */
  readonly outdated: string | undefined;
}

/** A part to build. */
interface PartToBuild<T, Config> {
  readonly config: Config;
  readonly origin: Origin;
  /** The part in use; undefined for a new one. */
  readonly previous: Handle<T> | undefined;
  /** True if the section is written as before: its faults are those of secrets or files, and the part in use stays. */
  readonly isAsBefore: boolean;
}

/** An adapter to build. */
interface AdapterToBuild extends PartToBuild<AdapterInstance, ResolvedAdapterConfig> {
  /** True if the running adapter may serve in its place: it has the same targets, security and access rules. */
  readonly mayStay: boolean;
}

interface PlanInput {
  readonly desired: Desired;
  /** The sections with their secrets. */
  readonly resolved: Resolved;
  readonly generation: number;
  /** Names of the sections to compare; the parts of all other sections stay. Absent: all sections. */
  readonly only?: ReadonlySet<string> | undefined;
}

/** Compares the configuration with that of the previous snapshot. Reads the files that the sections name; opens nothing. */
export async function planSnapshot(previous: ActiveSnapshot | undefined, input: PlanInput): Promise<Plan> {
  const { desired, generation } = input;
  return {
    generation,
    desired,
    main: await planMain(previous, input),
    listenerTls: listenerTlsToRead(previous, input),
    adapters: await Promise.all(desired.adapters.map((adapter) => planAdapter(adapter, previous, input))),
  };
}

async function planMain(
  previous: ActiveSnapshot | undefined,
  { desired: { main }, resolved, only }: PlanInput,
): Promise<Plan['main']> {
  if (previous && only && !only.has(main.name))
    return { kept: previous.main, outdated: previous.outdated.get(main.name) };
  const config = { ...main, resolved: resolved(main) };
  const files = usedFiles(config.resolved, (pointer) => pointer.startsWith('/auth/issuers/'));
  const values = SETTINGS_OF_SNAPSHOT.map((pointer) => valueAt(config.resolved.value, pointer) ?? null);
  const fingerprint = await fingerprintOf(config.resolved, values, files);
  if (previous?.main.origin.fingerprint === fingerprint) return { kept: previous.main, outdated: undefined };
  return {
    config,
    origin: { fingerprint, references: main.references, files },
    previous: previous?.main,
    isAsBefore: isDeepStrictEqual(previous?.desired.main.written.value, main.written.value),
  };
}

/**
 * Returns the settings of TLS; null if the certificates in use are still right, for plain HTTP, and if a secret of the main file
 * is missing, which its parts report. The listener keeps the protocol of the start.
 */
function listenerTlsToRead(
  previous: ActiveSnapshot | undefined,
  { desired: { main }, resolved, only }: PlanInput,
): ServerSettings['tls'] {
  if (previous && (!previous.listenerTls || (only && !only.has(main.name)))) return null;
  const { value, failures } = resolved(main);
  return failures.length > 0 ? null : asSettings(value).server.tls;
}

async function planAdapter(
  adapter: AdapterConfig,
  snapshot: ActiveSnapshot | undefined,
  { resolved, only }: PlanInput,
): Promise<KeptPart<AdapterInstance> | AdapterToBuild> {
  const { id } = adapter;
  const previous = snapshot?.parts.get(id);
  if (previous && only && !only.has(id)) return { kept: previous, outdated: snapshot?.outdated.get(id) };
  const config = { ...adapter, resolved: resolved(adapter) };
  const { referenced = [] } = previous?.origin ?? {};
  const files = [...usedFiles(config.resolved, isContent), ...referenced];
  const fingerprint = await fingerprintOfAdapter(config, files);
  if (previous?.origin.fingerprint === fingerprint) return { kept: previous, outdated: undefined };
  return {
    config,
    origin: {
      fingerprint,
      references: adapter.references,
      files,
      referenced,
      secrets: await secretsOf(config.resolved),
    },
    previous,
    isAsBefore: isUnchanged(adapter, snapshot, ['']),
    mayStay: isUnchanged(adapter, snapshot, BINDING_KEYS) && hasSameOpenTargets(adapter, snapshot),
  };
}

/** Returns the origin of an adapter whose build found these files, to which its files refer. */
export async function withReferenced(
  config: ResolvedAdapterConfig,
  origin: Origin,
  referenced: readonly string[] = [],
): Promise<Origin> {
  if (isDeepStrictEqual(origin.referenced ?? [], referenced)) return origin;
  const files = [...usedFiles(config.resolved, isContent), ...referenced];
  return { ...origin, files, referenced, fingerprint: await fingerprintOfAdapter(config, files) };
}

async function secretsOf(resolved: ResolvedSection): Promise<NonNullable<Origin['secrets']>> {
  const { fromVault, versions } = resolved;
  return { fingerprint: await fingerprintOf(resolved, fromVault, []), versions };
}

/** Returns false for the folder of recordings, whose files are read by each call. */
function isContent(pointer: string): boolean {
  return pointer !== '/recordings';
}

interface CachedFingerprint {
  /** Fingerprint input without the value of the adapter. */
  readonly input: string;
  readonly fingerprint: string;
}

const fingerprintCache = new WeakMap<ResolvedSection, CachedFingerprint>();

/** Returns the fingerprint of an adapter. It is cached if the adapter names no files, whose contents can change. */
async function fingerprintOfAdapter(
  config: ResolvedAdapterConfig,
  files: readonly string[],
): Promise<string> {
  const { resolved } = config;
  const input = JSON.stringify(fingerprintInputOf(config, null));
  const cached = fingerprintCache.get(resolved);
  if (cached?.input === input) return cached.fingerprint;
  const values = fingerprintInputOf(config, resolved.value).map((value) => value ?? null);
  const fingerprint = await fingerprintOf(resolved, values, files);
  if (files.length === 0) fingerprintCache.set(resolved, { input, fingerprint });
  return fingerprint;
}

/** Pointers of the settings that bind an adapter: its targets, their security, and who may call. */
const BINDING_KEYS = ['/plugin', '/baseUrl', '/baseUrls', '/access', '/tls', '/proxy', '/stub'];

/** Returns true if the values at these pointers in the file of the adapter have not changed. */
function isUnchanged(
  { id, written }: AdapterConfig,
  previous: ActiveSnapshot | undefined,
  pointers: readonly string[],
): boolean {
  const before = previous?.written.get(id);
  return pointers.every((pointer) =>
    isDeepStrictEqual(valueAt(written.value, pointer), valueAt(before, pointer)),
  );
}

/** Returns true if the operator has not changed what a registered adapter may reach. */
function hasSameOpenTargets(
  { id, openTargets }: AdapterConfig,
  previous: ActiveSnapshot | undefined,
): boolean {
  const before = previous?.desired.adapters.find((adapter) => adapter.id === id);
  return isDeepStrictEqual(openTargets, before?.openTargets);
}
