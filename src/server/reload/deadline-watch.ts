import type { AuditTrail } from '../../core/audit-trail.js';
import type { ComponentOverrides } from '../../core/component.js';
import type { Scheduler } from '../../core/lib/clock.js';
import { afterLevels } from '../../core/log-levels.js';
import type { Log } from '../../core/log.js';
import type { ComponentKind, PlatformState, PlatformStore } from '../../core/platform-state.js';
import type { PendingCommit, RevertedCommit } from '../../core/record-history.js';

export interface DeadlineWatchDeps {
  readonly platform: Pick<PlatformStore, 'read' | 'overrides' | 'revert'>;
  /** Activates the stored state. */
  readonly apply: () => Promise<unknown>;
  readonly audit: Pick<AuditTrail, 'append' | 'digest'>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Time between two attempts, in milliseconds. */
const RETRY_MS = 10_000;

/** Longest time of a timer, in milliseconds; a later deadline is scheduled in parts. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Ends what has a time limit: temporary log levels, suspensions with an end, and changes that were not confirmed. The end is
 * stored and then activated, so that it applies to all nodes, and also after a restart. Only the first node makes the change.
 */
export class DeadlineWatch {
  readonly #deps: DeadlineWatchDeps;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: DeadlineWatchDeps) {
    this.#deps = deps;
  }

  /** Schedules the next end in the live state. Must be called with each new state. */
  watch(state: Pick<PlatformState, 'overrides' | 'pending'>): void {
    const next = Math.min(...deadlinesOf(state));
    this.#cancel();
    if (next < Infinity) this.#schedule(next - this.#deps.scheduler.now());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return;
    const delay = Math.min(MAX_TIMER_MS, Math.max(0, ms));
    this.#cancel = this.#deps.scheduler.after(delay, () => void this.#endDue());
  }

  async #endDue(): Promise<void> {
    const { platform, apply, log } = this.#deps;
    // The next live state replaces this schedule. If the attempt fails, the schedule stays empty, and the attempt is repeated.
    this.#schedule(RETRY_MS);
    try {
      const state = await platform.read();
      for (const kind of ['adapter', 'application'] as const)
        for (const [name, overrides] of state.overrides[kind])
          await this.#endOverrides(kind, name, overrides);
      for (const commit of state.pending) await this.#revert(commit);
      await apply();
    } catch (error) {
      if (!this.#isClosed)
        log.warn('expired settings not restored; trying again', { error, nextInMs: RETRY_MS });
    }
  }

  async #endOverrides(kind: ComponentKind, name: string, overrides: ComponentOverrides): Promise<void> {
    const { platform, scheduler, log } = this.#deps;
    const now = scheduler.now();
    const component = { kind, name };
    if ((overrides.goBack?.at ?? Infinity) <= now) {
      await platform.overrides(component, (current) => afterLevels(current, now));
      log.info('temporary log levels ended; restored the previous levels', { [kind]: name });
    }
    if ((overrides.request?.until ?? Infinity) <= now) {
      await platform.overrides(
        component,
        (current) => afterSuspension(current, now),
        () => ({
          entry: { action: 'resumed' },
          note: { by: null, at: Math.floor(now) },
        }),
      );
      log.info('the suspension ended; resumed the calls', { [kind]: name });
    }
  }

  async #revert(commit: PendingCommit): Promise<void> {
    const { platform, scheduler, log } = this.#deps;
    const now = Math.floor(scheduler.now());
    if (commit.until > now) return;
    const reverted = await platform.revert(commit, { note: { by: null, at: now }, dueAt: now });
    if (!reverted) return;
    const { kind, name } = commit;
    log.warn('a change was not confirmed in time; restored the previous state', { kind, name });
    await this.#audit(reverted, now);
  }

  /** Records the revert. A failure is logged: the previous state must return even if the audit trail is full. */
  async #audit({ commit: { kind, name }, before, after }: RevertedCommit, now: number): Promise<void> {
    const { audit, log } = this.#deps;
    try {
      await audit.append({
        time: new Date(now).toISOString(),
        requestId: '',
        operation: kind === 'adapter' ? 'adapters.revertUnconfirmed' : 'profiles.revertUnconfirmed',
        subject: 'gatehouse',
        issuer: '',
        target: `/${kind === 'adapter' ? 'adapters' : 'profiles'}/${encodeURIComponent(name)}`,
        status: 200,
        outcome: 'not confirmed in time',
        durationMs: 0,
        before: audit.digest(before),
        after: audit.digest(after),
      });
    } catch (error) {
      log.error('audit record of an unconfirmed change not stored', { error, kind, name });
    }
  }
}

function deadlinesOf({
  overrides,
  pending,
}: Pick<PlatformState, 'overrides' | 'pending'>): readonly number[] {
  const ends = [overrides.adapter, overrides.application]
    .flatMap((named) => [...named.values()])
    .flatMap(({ goBack, request }) => [goBack?.at ?? Infinity, request?.until ?? Infinity]);
  return [...ends, ...pending.map(({ until }) => until)];
}

/** Returns the overrides at a time, in milliseconds since 1970, without an expired suspension. */
function afterSuspension(overrides: ComponentOverrides, now: number): ComponentOverrides {
  const { request, ...rest } = overrides;
  return (request?.until ?? Infinity) <= now ? { ...rest, wanted: 'running' } : overrides;
}
