import { isDeepStrictEqual } from 'node:util';
import { openInBackground, replacementError } from '../../adapters/starter.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { valueAt } from '../../json/pointer.js';
import type { SnapshotInput } from './active-snapshot.js';
import { buildAdapter } from './build-adapter.js';
import type { DesiredAdapter } from './desired-state.js';
import {
  type BuildResult,
  createHandle,
  type Handle,
  reasonOf,
  reuseHandle,
  sectionFingerprint,
} from './handle.js';
import type { ResolvedSection } from './resolve-sections.js';

/** Pointers of the settings that bind an adapter: its targets, their security, and who may call. */
const BINDING_KEYS = ['/plugin', '/baseUrl', '/baseUrls', '/access', '/tls', '/proxy', '/stub'];

/** Settings that only the log, clients and notifications use. A change of these settings does not replace the adapter. */
const IGNORED_KEYS = { log: null, brokers: null, groups: null, tags: null };

/**
 * Reuses an unchanged adapter; otherwise builds a new one. If the new adapter does not work, the running adapter stays in use,
 * unless the operator changed one of its binding settings.
 */
export async function rebuildAdapter(
  desired: DesiredAdapter,
  input: SnapshotInput,
): Promise<BuildResult<AdapterInstance>> {
  const { id } = desired;
  const previous = input.previous?.parts.get(id);
  if (previous && input.only && !input.only.has(id))
    return reuseHandle(previous, input.previous?.outdated.get(id));
  const resolved = input.resolved(desired);
  const fingerprint = await fingerprintOfAdapter(desired, resolved);
  if (previous?.origin.fingerprint === fingerprint) return reuseHandle(previous);
  return rebuild({ desired, resolved, fingerprint, input }, previous);
}

async function rebuild(
  plan: AdapterBuildPlan,
  previous: Handle<AdapterInstance> | undefined,
): Promise<BuildResult<AdapterInstance>> {
  const { desired, resolved, input } = plan;
  const built = await buildAdapter(desired, resolved, input);
  if ('faults' in built) {
    // If the file is unchanged, its faults must not prevent changes to other adapters.
    const isUntouched = previous && isUnchanged(desired, input, ['']);
    return isUntouched ? reusePrevious(previous, reasonOf(built.faults), input) : built;
  }
  const part = createAdapterHandle(built.instance, plan);
  const isBound = isUnchanged(desired, input, BINDING_KEYS) && hasSameOpenTargets(desired, input);
  if (previous && canKeepServing(previous, resolved) && isBound) return replace(previous, part, input);
  await openInBackground(part.value, input.stopping);
  return { part };
}

/** Returns true if the adapter runs and its credentials are valid. Credentials of an expired lease are not. */
function canKeepServing({ value }: Handle<AdapterInstance>, { failures }: ResolvedSection): boolean {
  return value.state().name === 'RUNNING' && !failures.some(({ code }) => code === 'VAULT_LEASE_ENDED');
}

/** Returns true if the values at these pointers in the file of the adapter have not changed. */
function isUnchanged(
  { id, written }: DesiredAdapter,
  { previous }: SnapshotInput,
  pointers: readonly string[],
): boolean {
  const before = previous?.written.get(id);
  return pointers.every((pointer) =>
    isDeepStrictEqual(valueAt(written.value, pointer), valueAt(before, pointer)),
  );
}

/** Returns true if the operator has not changed what a registered adapter may reach. */
function hasSameOpenTargets({ id, openTargets }: DesiredAdapter, { previous }: SnapshotInput): boolean {
  const before = previous?.desired.adapters.find((adapter) => adapter.id === id);
  return isDeepStrictEqual(openTargets, before?.openTargets);
}

/** Returns the new part if it works; otherwise closes it and returns the running part. */
async function replace(
  previous: Handle<AdapterInstance>,
  part: Handle<AdapterInstance>,
  input: SnapshotInput,
): Promise<BuildResult<AdapterInstance>> {
  const reason = await replacementError(part.value, input.stopping);
  if (reason === undefined) return { part };
  await part.release();
  return reusePrevious(previous, reason, input);
}

function reusePrevious(
  previous: Handle<AdapterInstance>,
  reason: string,
  input: SnapshotInput,
): BuildResult<AdapterInstance> {
  const { id } = previous.value;
  if (reason !== input.previous?.outdated.get(id))
    input.log.error('adapter not replaced: its replacement does not work; keeping the running adapter', {
      adapter: id,
      reason,
    });
  return reuseHandle(previous, reason);
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
async function fingerprintOfAdapter(desired: DesiredAdapter, resolved: ResolvedSection): Promise<string> {
  const cacheKey = JSON.stringify(fingerprintInputOf(desired, null));
  const cached = fingerprintCache.get(resolved);
  if (cached?.input === cacheKey) return cached.fingerprint;
  const fingerprint = await sectionFingerprint(
    resolved,
    fingerprintInputOf(desired, resolved.value),
    isContent,
  );
  if (![...resolved.files.keys()].some(isContent))
    fingerprintCache.set(resolved, { input: cacheKey, fingerprint });
  return fingerprint;
}

/**
 * Returns everything whose change replaces an adapter, including restarts by operators. `value` is the value in its file or
 * record.
 */
export function fingerprintInputOf(
  { plugin, runs, overrides, recordFault, openTargets }: DesiredAdapter,
  value: unknown,
): readonly unknown[] {
  const usedValue = typeof value === 'object' ? { ...value, ...IGNORED_KEYS } : value;
  return [plugin.type, runs, overrides.restarts, recordFault, openTargets, usedValue];
}

interface AdapterBuildPlan {
  readonly desired: DesiredAdapter;
  readonly resolved: ResolvedSection;
  readonly fingerprint: string;
  readonly input: SnapshotInput;
}

function createAdapterHandle(
  instance: AdapterInstance,
  { desired, resolved, fingerprint, input }: AdapterBuildPlan,
): Handle<AdapterInstance> {
  const { references } = desired;
  const plan = { resolved, fingerprint, isUsed: isContent, references, redactor: input.redactor };
  return createHandle(instance, plan, () => instance.close());
}
