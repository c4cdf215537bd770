import type { AuditWriter } from '../../core/audit.js';
import { type ComponentOverrides, NO_OVERRIDES } from '../../core/component.js';
import { afterLevels } from '../../core/log-levels.js';
import { type Log, type LogFields } from '../../core/log.js';
import type { ComponentKind, OverridesAct, PlatformState, PlatformStore } from '../../core/platform-state.js';
import type { PendingCommit } from '../../core/record-history.js';
import type { Clock } from '../../lib/clock.js';

export interface DueEndsDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'overrides' | 'revert'>;
  readonly audit: Pick<AuditWriter, 'appendOrKeep' | 'digest'>;
  readonly scheduler: Clock;
  readonly log: Log;
}

/** An end that is stored, with the log line for its activation. */
export interface StoredEnd {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly fields: LogFields;
}

/** Ends that were stored, and the failures of the others. */
interface StoredEnds {
  readonly stored: readonly StoredEnd[];
  readonly failures: readonly { readonly error: unknown; readonly fields: LogFields }[];
}

/** Returns the deadlines in a state by the clock of this process, in milliseconds since 1970. */
export function deadlinesOf({ overrides, pending, storeAheadMs }: PlatformState): readonly number[] {
  const ends = [overrides.adapter, overrides.application]
    .flatMap((named) => [...named.values()])
    .flatMap(({ goBack, request, scheduled }) => [goBack?.at, request?.until, scheduled?.from])
    .map((at) => at ?? Infinity);
  return [...ends, ...pending.map(({ until }) => until - storeAheadMs)];
}

/**
 * Stores each end in a state that is due: of temporary log levels, of suspensions, and of changes that were not confirmed; and each
 * scheduled suspension whose time has come. An end that fails does not prevent the others. Does not reject.
 */
export async function storeDueEnds(
  deps: DueEndsDeps,
  { overrides, pending, storeAheadMs }: PlatformState,
): Promise<StoredEnds> {
  const stored: StoredEnd[] = [];
  const failures: { readonly error: unknown; readonly fields: LogFields }[] = [];
  const store = async (fields: LogFields, work: () => Promise<readonly StoredEnd[]>): Promise<void> => {
    try {
      stored.push(...(await work()));
    } catch (error) {
      failures.push({ error, fields });
    }
  };
  for (const kind of ['adapter', 'application'] as const)
    for (const [name, current] of overrides[kind])
      await store({ [kind]: name }, () => endOverrides(deps, { kind, name }, current));
  const now = Math.floor(deps.scheduler.now());
  for (const commit of pending)
    if (commit.until - storeAheadMs <= now)
      await store({ kind: commit.kind, name: commit.name }, () => revertCommit(deps, commit));
  return { stored, failures };
}

/**
 * Ends what became due before the server starts, so that the server does not start with a change that nobody confirmed. An end
 * that fails is tried again by the running server. Rejects only if the state cannot be read.
 */
export async function endDueBeforeStart(deps: DueEndsDeps): Promise<void> {
  const { platform, scheduler, log } = deps;
  const state = await platform.read();
  if (!deadlinesOf(state).some((at) => at <= scheduler.now())) return;
  const { stored, failures } = await storeDueEnds(deps, state);
  for (const { level, message, fields } of stored) log[level](message, fields);
  for (const { error, fields } of failures)
    log.warn('expired settings not restored before the start; trying again', { error, ...fields });
}

async function endOverrides(
  deps: DueEndsDeps,
  component: { readonly kind: ComponentKind; readonly name: string },
  overrides: ComponentOverrides,
): Promise<readonly StoredEnd[]> {
  const { platform, scheduler } = deps;
  const now = Math.floor(scheduler.now());
  const fields = { [component.kind]: component.name };
  const ends: StoredEnd[] = [];
  if ((overrides.goBack?.at ?? Infinity) <= now) {
    await platform.overrides(component, (current) => afterLevels(current, now));
    ends.push({
      level: 'info',
      message: 'temporary log levels ended; restored the previous levels',
      fields,
    });
  }
  if ((overrides.request?.until ?? Infinity) <= now) {
    let before = overrides;
    const after = await platform.overrides(
      component,
      (current) => afterSuspension((before = current), now),
      () => ({ entry: { action: 'resumed' }, note: { by: null, at: now } }),
    );
    if (after !== before)
      await appendRecord(deps, { about: component, ...ENDED_SUSPENSION, before, after }, now);
    ends.push({ level: 'info', message: 'the suspension ended; resumed the calls', fields });
  }
  if ((overrides.scheduled?.from ?? Infinity) <= now)
    ends.push({ level: 'info', message: await beginSuspension(deps, component, now), fields });
  return ends;
}

/** Begins the scheduled suspension of a component. Returns what became of it, for the log. */
async function beginSuspension(
  deps: DueEndsDeps,
  component: { readonly kind: ComponentKind; readonly name: string },
  now: number,
): Promise<string> {
  let before: ComponentOverrides = NO_OVERRIDES;
  const after = await deps.platform.overrides(
    component,
    (current) => withDueSuspension((before = current), now),
    (current) => actOfDueSuspension(current, now),
  );
  const isMissed = before.scheduled !== undefined && isMissedSuspension(before, now);
  const outcome = isMissed ? 'scheduled suspension left out' : 'scheduled suspension began';
  if (after !== before)
    await appendRecord(deps, { about: component, verb: 'beginSuspension', outcome, before, after }, now);
  return isMissed ? `${outcome}: the component is stopped, or its end is over` : outcome;
}

async function revertCommit(deps: DueEndsDeps, commit: PendingCommit): Promise<readonly StoredEnd[]> {
  const now = Math.floor(deps.scheduler.now());
  const [reverted] = await deps.platform.revert([commit], { note: { by: null, at: now }, dueAt: now });
  if (!reverted) return [];
  const { kind, name } = commit;
  const { before, after } = reverted;
  const about = { kind: kind === 'adapter' ? kind : 'profile', name } as const;
  await appendRecord(deps, { about, ...UNCONFIRMED, before, after }, now);
  const message = 'a change was not confirmed in time; restored the previous state';
  return [{ level: 'warn', message, fields: { kind, name } }];
}

/** Records an end. The record waits while the audit trail has no room: the previous state must return all the same. */
async function appendRecord(
  { audit, log }: DueEndsDeps,
  { about: { kind, name }, verb, outcome, before, after }: AuditedEnd,
  now: number,
): Promise<void> {
  const isStored = await audit.appendOrKeep({
    time: new Date(now).toISOString(),
    requestId: '',
    operation: `${kind}s.${verb}`,
    subject: 'gatehouse',
    issuer: '',
    target: `/${kind}s/${encodeURIComponent(name)}`,
    status: 200,
    outcome,
    durationMs: 0,
    before: audit.digest(before),
    after: audit.digest(after),
  });
  if (!isStored) log.error('audit record of an automatic end waits in memory', { kind, name, outcome });
}

/** An automatic change of a component or profile for the audit trail. */
interface AuditedEnd {
  readonly about: { readonly kind: ComponentKind | 'profile'; readonly name: string };
  readonly verb: string;
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
}

const UNCONFIRMED = { verb: 'revertUnconfirmed', outcome: 'not confirmed in time' } as const;
const ENDED_SUSPENSION = { verb: 'endSuspension', outcome: 'suspension ended' } as const;

/** Returns the overrides at a time, in milliseconds since 1970, without an expired suspension. */
function afterSuspension(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { request, ...rest } = overrides;
  return (request?.until ?? Infinity) <= now ? { ...rest, wanted: 'running' } : overrides;
}

/** Returns the overrides at a time, in milliseconds since 1970, with a scheduled suspension that is due. */
export function withDueSuspension(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { scheduled, ...rest } = overrides;
  if (!scheduled || scheduled.from > now) return overrides;
  if (isMissedSuspension(overrides, now)) return rest;
  const { wanted, request } = scheduled;
  return { ...rest, wanted, request };
}

/**
 * Returns whether a scheduled suspension has no effect when it is due: a stopped component stays stopped, and no server may have
 * run before the end of the suspension.
 */
function isMissedSuspension({ wanted, scheduled }: ComponentOverrides, now: number): boolean {
  return wanted === 'stopped' || (scheduled?.request.until ?? Infinity) <= now;
}

/** Returns the entry of the timeline for a scheduled suspension that is due. */
function actOfDueSuspension(overrides: ComponentOverrides, now: number): OverridesAct {
  const { scheduled } = overrides;
  if (!scheduled || isMissedSuspension(overrides, now))
    return { entry: { action: 'unscheduled' }, note: { by: null, at: now } };
  const { by, reason, until } = scheduled.request;
  const action = scheduled.wanted === 'paused' ? 'paused' : 'blocked';
  return { entry: { action, until }, note: { by, at: now, comment: reason } };
}
