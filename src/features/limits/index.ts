import type { LimitSettings } from '../../core/limits.js';
import type { Log } from '../../core/log.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import type { AdapterFactories } from '../../server/state/factories.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import { openLimit } from '../../server/state/stored-rules.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { AccessCaller } from '../access/access-explanation.js';
import type { RuleOperationDeps, RuleTerms } from '../lib/store-rule.js';
import type { Store } from '../store.js';
import { type CallerLimits, createCallerLimits } from './caller-limits.js';
import { configuredLimits, limitEffects } from './rules.js';
import { openSharedCounts } from './shared-counts.js';

/** Limits of callers that must be closed. */
interface OpenCallerLimits extends CallerLimits {
  readonly close: () => Promise<void>;
}

interface CallerLimitsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  /** The system clock. */
  readonly clock: Clock;
  /** A monotonic scheduler. */
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Opens the limits of callers by the current configuration. The nodes that share a database share the counts. */
export function openCallerLimits(input: CallerLimitsInput): OpenCallerLimits {
  const { current, store, clock, scheduler, log } = input;
  const settings = (): LimitSettings => current.current().limits;
  const isUsed = (): boolean => Object.values(settings()).some(({ enabled }) => enabled);
  const shared =
    store.limitCounts && openSharedCounts({ store: store.limitCounts, isUsed, clock, scheduler, log });
  const limits = createCallerLimits({ clock: scheduler, settings, shared });
  return { ...limits, close: () => shared?.close() ?? Promise.resolve() };
}

interface LimitRulesInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  readonly factories: AdapterFactories;
  /** Returns the callers of the configuration. */
  readonly callers: () => readonly AccessCaller[];
}

/** Creates the dependencies of the operations on stored limits. */
export function limitRulesOf(
  { current, store, factories, callers }: LimitRulesInput,
  { apply, now, newRecordId, runInTurn }: RuleTerms,
): RuleOperationDeps {
  return {
    apply,
    now,
    newRecordId,
    runInTurn,
    records: store.platform.limits,
    open: (name, document) => openLimit(name, document, factories),
    configured: () => configuredLimits(current.current().desired),
    effects(name, _before, after) {
      const opened = after && openLimit(name, after, factories);
      const adapters = [...current.current().adapters.keys()];
      return limitEffects(opened && 'value' in opened ? opened.value : undefined, {
        adapters,
        callers: callers(),
      });
    },
  };
}
