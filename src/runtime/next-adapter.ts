import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../domain/pointer.js';
import type { AdapterInstance } from '../domain/snapshot.js';
import { buildAdapter } from './build-adapter.js';
import type { SnapshotInput } from './snapshot-input.js';
import type { DesiredAdapter } from './desired.js';
import { fingerprintOfPiece, makePart, reasonOf } from './make-part.js';
import { keepPart, type NextPart } from './next-part.js';
import type { Part } from './part.js';
import type { ResolvedPiece } from './resolve-pieces.js';
import { startNew, objectionTo } from './start-adapter.js';

/** What says where an adapter's calls go, how safely, and who may make them. */
const BINDING = ['/plugin', '/baseUrl', '/baseUrls', '/access', '/tls', '/proxy', '/stub'];

/** What only the log and clients read of an adapter. */
const UNUSED = { log: null, brokers: null, groups: null };

/**
 * The former adapter where nothing about it changed; or a new one, unless the former one serves and the new one would not.
 * What the operator changed of its bounds is never put off.
 */
export async function nextAdapter(
  desired: DesiredAdapter,
  input: SnapshotInput,
): Promise<NextPart<AdapterInstance>> {
  const { id } = desired;
  const former = input.former?.parts.get(id);
  if (former && input.only && !input.only.has(id)) return keepPart(former, input.former?.outdated.get(id));
  const resolved = input.resolved(desired);
  const fingerprint = await fingerprintOfAdapter(desired, resolved);
  if (former?.origin.fingerprint === fingerprint) return keepPart(former);
  return rebuild({ desired, resolved, fingerprint, input }, former);
}

async function rebuild(
  making: Making,
  former: Part<AdapterInstance> | undefined,
): Promise<NextPart<AdapterInstance>> {
  const { desired, resolved, input } = making;
  const built = await buildAdapter(desired, resolved, input);
  if ('faults' in built) {
    // Nobody changed the adapter's file: what is wrong must not stand in the way of the others.
    const isUntouched = former && isAsBefore(desired, input, ['']);
    return isUntouched ? keepFormer(former, reasonOf(built.faults), input) : built;
  }
  const part = partOf(built.instance, making);
  if (former && servesWell(former, resolved) && isAsBefore(desired, input, BINDING))
    return replace(former, part, input);
  await startNew(part.value, input.stopping);
  return { part };
}

/** True for an adapter that can do without a successor; one whose leased credentials have ended cannot. */
function servesWell({ value }: Part<AdapterInstance>, { failures }: ResolvedPiece): boolean {
  return value.state().name === 'RUNNING' && !failures.some(({ code }) => code === 'VAULT_LEASE_ENDED');
}

/** True when the file of the adapter says the same as before at these places. */
function isAsBefore(
  { id, written }: DesiredAdapter,
  { former }: SnapshotInput,
  places: readonly string[],
): boolean {
  const before = former?.written.get(id);
  return places.every((place) => isDeepStrictEqual(valueAt(written.value, place), valueAt(before, place)));
}

/** The new part if it works; else the one that serves, and the new one is closed. */
async function replace(
  former: Part<AdapterInstance>,
  part: Part<AdapterInstance>,
  input: SnapshotInput,
): Promise<NextPart<AdapterInstance>> {
  const reason = await objectionTo(part.value, input.stopping);
  if (reason === undefined) return { part };
  await part.release();
  return keepFormer(former, reason, input);
}

function keepFormer(
  former: Part<AdapterInstance>,
  reason: string,
  input: SnapshotInput,
): NextPart<AdapterInstance> {
  const { id } = former.value;
  if (reason !== input.former?.outdated.get(id))
    input.log.error('adapter not replaced: the new one does not work, the former one serves on', {
      adapter: id,
      reason,
    });
  return keepPart(former, reason);
}

/** A folder of recordings is a place alone: what is in it is looked at call by call. */
function isContent(pointer: string): boolean {
  return pointer !== '/recordings';
}

interface KnownFingerprint {
  readonly of: string;
  readonly fingerprint: string;
}

const known = new WeakMap<ResolvedPiece, KnownFingerprint>();

/** Computed once for what names no files: the content of those may be another one each time. */
async function fingerprintOfAdapter(desired: DesiredAdapter, resolved: ResolvedPiece): Promise<string> {
  const of = JSON.stringify(madeFrom(desired, null));
  const before = known.get(resolved);
  if (before?.of === of) return before.fingerprint;
  const fingerprint = await fingerprintOfPiece(resolved, madeFrom(desired, resolved.value), isContent);
  if (![...resolved.files.keys()].some(isContent)) known.set(resolved, { of, fingerprint });
  return fingerprint;
}

/**
 * What an adapter is made from: with anything else in it, it is another one. What operators want of it counts as well: a
 * restart is another adapter. `value` is what its file or record says.
 */
export function madeFrom({ plugin, runs, wish, spoilt }: DesiredAdapter, value: unknown): readonly unknown[] {
  const used = typeof value === 'object' ? { ...value, ...UNUSED } : value;
  return [plugin.type, runs, wish.restarts, spoilt, used];
}

interface Making {
  readonly desired: DesiredAdapter;
  readonly resolved: ResolvedPiece;
  readonly fingerprint: string;
  readonly input: SnapshotInput;
}

function partOf(
  instance: AdapterInstance,
  { desired, resolved, fingerprint, input }: Making,
): Part<AdapterInstance> {
  const making = { resolved, fingerprint, references: desired.references, redactor: input.redactor };
  return makePart(instance, making, () => instance.close());
}
