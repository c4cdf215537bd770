import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/pointer.js';
import type { AdapterInstance } from '../../core/snapshot.js';
import { buildAdapter } from './build-adapter.js';
import type { SnapshotInput } from './snapshot-input.js';
import type { DesiredAdapter } from './desired-state.js';
import { sectionFingerprint, createHandle, reasonOf } from './create-handle.js';
import { reuseHandle, type BuildResult } from './build-result.js';
import type { Handle } from './handle.js';
import type { ResolvedSection } from './resolve-sections.js';
import { startReplacement, replacementError } from '../../adapters/start-adapter.js';

/** What says where an adapter's calls go, how safely, and who may make them. */
const BINDING = ['/plugin', '/baseUrl', '/baseUrls', '/access', '/tls', '/proxy', '/stub'];

/** What only the log and clients read of an adapter. */
const UNUSED = { log: null, brokers: null, groups: null };

/**
 * The former adapter where nothing about it changed; or a new one, unless the former one serves and the new one would not.
 * What the operator changed of its bounds is never put off.
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
  making: AdapterBuildPlan,
  previous: Handle<AdapterInstance> | undefined,
): Promise<BuildResult<AdapterInstance>> {
  const { desired, resolved, input } = making;
  const built = await buildAdapter(desired, resolved, input);
  if ('faults' in built) {
    // Nobody changed the adapter's file: what is wrong must not stand in the way of the others.
    const isUntouched = previous && isAsBefore(desired, input, ['']);
    return isUntouched ? reusePrevious(previous, reasonOf(built.faults), input) : built;
  }
  const part = adapterSection(built.instance, making);
  if (previous && servesWell(previous, resolved) && isAsBefore(desired, input, BINDING))
    return replace(previous, part, input);
  await startReplacement(part.value, input.stopping);
  return { part };
}

/** True for an adapter that can do without a successor; one whose leased credentials have ended cannot. */
function servesWell({ value }: Handle<AdapterInstance>, { failures }: ResolvedSection): boolean {
  return value.state().name === 'RUNNING' && !failures.some(({ code }) => code === 'VAULT_LEASE_ENDED');
}

/** True when the file of the adapter says the same as before at these places. */
function isAsBefore(
  { id, written }: DesiredAdapter,
  { previous }: SnapshotInput,
  places: readonly string[],
): boolean {
  const before = previous?.written.get(id);
  return places.every((place) => isDeepStrictEqual(valueAt(written.value, place), valueAt(before, place)));
}

/** The new part if it works; else the one that serves, and the new one is closed. */
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
    input.log.error('adapter not replaced: the new one does not work, the former one serves on', {
      adapter: id,
      reason,
    });
  return reuseHandle(previous, reason);
}

/** A folder of recordings is a place alone: what is in it is looked at call by call. */
function isContent(pointer: string): boolean {
  return pointer !== '/recordings';
}

interface KnownFingerprint {
  readonly of: string;
  readonly fingerprint: string;
}

const known = new WeakMap<ResolvedSection, KnownFingerprint>();

/** Computed once for what names no files: the content of those may be another one each time. */
async function fingerprintOfAdapter(desired: DesiredAdapter, resolved: ResolvedSection): Promise<string> {
  const of = JSON.stringify(madeFrom(desired, null));
  const before = known.get(resolved);
  if (before?.of === of) return before.fingerprint;
  const fingerprint = await sectionFingerprint(resolved, madeFrom(desired, resolved.value), isContent);
  if (![...resolved.files.keys()].some(isContent)) known.set(resolved, { of, fingerprint });
  return fingerprint;
}

/**
 * What an adapter is made from: with anything else in it, it is another one. What operators want of it counts as well: a
 * restart is another adapter. `value` is what its file or record says.
 */
export function madeFrom(
  { plugin, runs, overrides, spoilt }: DesiredAdapter,
  value: unknown,
): readonly unknown[] {
  const used = typeof value === 'object' ? { ...value, ...UNUSED } : value;
  return [plugin.type, runs, overrides.restarts, spoilt, used];
}

interface AdapterBuildPlan {
  readonly desired: DesiredAdapter;
  readonly resolved: ResolvedSection;
  readonly fingerprint: string;
  readonly input: SnapshotInput;
}

function adapterSection(
  instance: AdapterInstance,
  { desired, resolved, fingerprint, input }: AdapterBuildPlan,
): Handle<AdapterInstance> {
  const making = { resolved, fingerprint, references: desired.references, redactor: input.redactor };
  return createHandle(instance, making, () => instance.close());
}
