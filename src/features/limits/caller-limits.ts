import {
  type AdmitCall,
  burstOf,
  type LimitedAdmission,
  type LimitedCall,
  type LimitRefusal,
  type LimitRule,
  type LimitSettings,
  type LimitStatus,
  type LimitUsage,
} from '../../core/limits.js';
import { counter, gauge, type Metric } from '../../core/metric.js';
import type { Clock } from '../../lib/clock.js';
import { type Allowance, createLocalAllowance } from './allowance.js';
import { type CallerAccount, type CallerAccounts, createCallerAccounts } from './caller-accounts.js';
import { type AppliedLimit, limitHeaders, policyOf } from './limit-headers.js';
import { CurrentLimits, type NamedLimit } from './limit-matcher.js';

/** Counts of this node that the nodes of a cluster share. */
export interface SharedCounts {
  /** Creates an allowance that draws from the shared counts. */
  readonly createAllowance: (limit: NamedLimit, key: string) => Allowance;
  /** Returns a promise of new portions if the other nodes may have left some for this call; undefined if not. */
  readonly renew: (allowances: readonly Allowance[]) => Promise<void> | undefined;
  readonly state: () => 'cluster' | 'share';
}

interface CallerLimitsOptions {
  readonly clock: Clock;
  /** Returns the current settings; the same object while they are unchanged. */
  readonly settings: () => LimitSettings;
  /** Absent for a server that is alone. */
  readonly shared?: SharedCounts | undefined;
  /** Maximum number of callers of each limit; default: 20,000. */
  readonly maxCallers?: number;
}

/** The limits of callers, and their counts. */
export interface CallerLimits {
  readonly admit: AdmitCall;
  readonly status: () => LimitStatus;
  readonly metrics: () => readonly Metric[];
}

/** A limit with its counts. */
interface CountedLimit extends NamedLimit {
  readonly policy: string;
  readonly accounts: CallerAccounts;
  /** Refused calls by reason. */
  readonly refused: Record<'rate' | 'concurrent', number>;
}

const MAX_CALLERS = 20_000;
/** Maximum number of callers in a status. */
const MAX_SHOWN_CALLERS = 50;

/** Creates the limits of callers. Counts exactly within this process. */
export function createCallerLimits(options: CallerLimitsOptions): CallerLimits {
  const { shared } = options;
  const limits = new CurrentLimits<CountedLimit>(options.settings, (limit) => countedLimit(limit, options));
  const decide = (call: LimitedCall, matching: readonly CountedLimit[]): LimitedAdmission | undefined => {
    const applied = matching.map((limit) => ({ ...limit, accounts: limit.accounts.of(call) }));
    const counted = applied.filter(({ accounts }) => accounts.length > 0);
    if (counted.length === 0) return undefined;
    const refusal = firstRefusal(counted);
    return refusal ? refuse(counted, refusal) : admit(counted);
  };
  return {
    admit(call) {
      const matching = limits.of(call);
      if (!matching) return undefined;
      const renewal = shared && renewalOf(shared, call, matching);
      if (!renewal) return decide(call, matching);
      return decideAfter(renewal, {
        renew: () => renewalOf(shared, call, matching),
        decide: () => decide(call, matching),
      });
    },
    status: () => ({
      limits: limits.all().map(({ name, rule, accounts, refused }) => ({
        name,
        ...rule,
        callers: accounts.size(),
        refused: refused.rate + refused.concurrent,
      })),
      callers: nearestCallers(limits.all()),
      shared: shared?.state() ?? 'process',
    }),
    metrics: () => metricsOf(limits.all(), shared),
  };
}

function countedLimit(
  { name, rule }: NamedLimit,
  { clock, shared, maxCallers = MAX_CALLERS }: CallerLimitsOptions,
): CountedLimit {
  const accounts = createCallerAccounts({
    rule,
    clock,
    maxAccounts: maxCallers,
    createAllowance: ({ key }) =>
      shared ? shared.createAllowance({ name, rule }, key) : createLocalAllowance(clock, rule),
  });
  return { name, rule, policy: policyOf(name, rule), accounts, refused: { rate: 0, concurrent: 0 } };
}

/** Returns the promise of portions for a call that the node cannot admit yet; undefined if no portion can help. */
function renewalOf(
  shared: SharedCounts,
  call: LimitedCall,
  matching: readonly CountedLimit[],
): Promise<void> | undefined {
  const accounts = matching.flatMap((limit) => limit.accounts.of(call));
  const blocked = accounts.filter((account) => !isPermitted(account));
  return blocked.length > 0 ? shared.renew(blocked.map(({ allowance }) => allowance)) : undefined;
}

/** Maximum number of portions that a call waits for: later calls may have used the portion that it waited for. */
const MAX_RENEWALS = 5;

/** Decides a call at once when no further portion is needed, so that no other call uses its portion in between. */
async function decideAfter<T>(
  first: Promise<void>,
  { renew, decide }: { readonly renew: () => Promise<void> | undefined; readonly decide: () => T },
): Promise<T> {
  let renewal: Promise<void> | undefined = first;
  for (let attempt = 1; renewal && attempt <= MAX_RENEWALS; attempt += 1) {
    await renewal;
    renewal = renew();
  }
  return decide();
}

function isPermitted({ allowance, running }: CallerAccount): boolean {
  return allowance.rateWaitMs() === 0 && allowance.hasSlot(running);
}

/** Limits of a call, with the counts of refusals. */
type Counted = readonly (AppliedLimit & Pick<CountedLimit, 'refused'>)[];

interface Refused {
  readonly limit: Counted[number];
  readonly account: CallerAccount;
  readonly reason: 'rate' | 'concurrent';
  readonly waitMs: number;
}

/** Returns the refusal with the longest wait; undefined if every limit permits the call. */
function firstRefusal(counted: Counted): Refused | undefined {
  const refusals = counted.flatMap((limit) =>
    limit.accounts.flatMap((account): Refused[] => {
      const waitMs = account.allowance.rateWaitMs();
      if (waitMs > 0) return [{ limit, account, reason: 'rate', waitMs }];
      if (account.allowance.hasSlot(account.running)) return [];
      return [{ limit, account, reason: 'concurrent', waitMs: CONCURRENT_WAIT_MS }];
    }),
  );
  return refusals.sort((one, other) => other.waitMs - one.waitMs)[0];
}

/** Proposed wait for the end of another call, in milliseconds. */
const CONCURRENT_WAIT_MS = 1_000;

function refuse(counted: Counted, { limit, account, reason, waitMs }: Refused): LimitedAdmission {
  limit.refused[reason] += 1;
  account.refused += 1;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = detailOf(limit, { account, reason, retryAfterSeconds });
  return {
    isRunning: false,
    headers: limitHeaders(counted),
    refusal: { limit: limit.name, detail, retryAfterSeconds } satisfies LimitRefusal,
    end: () => undefined,
  };
}

function detailOf(
  { name, rule }: NamedLimit,
  {
    account,
    reason,
    retryAfterSeconds,
  }: Pick<Refused, 'account' | 'reason'> & { readonly retryAfterSeconds: number },
): string {
  const whom = wordsOf(rule, account);
  if (reason === 'concurrent')
    return `The limit "${name}" permits ${rule.concurrent ?? 0} concurrent calls ${whom}, and as many run now.`;
  const burst = burstOf(rule) === rule.requests ? '' : `, ${burstOf(rule)} of them at once`;
  return `The limit "${name}" permits ${rule.requests ?? 0} calls in ${rule.periodSeconds} s ${whom}${burst}; try again in ${retryAfterSeconds} s.`;
}

/** Returns whom a limit counts, without the caller, whose name the client knows. */
function wordsOf({ per }: LimitRule, { key }: CallerAccount): string {
  return per === 'role' ? `to the role ${key} in total` : `to each ${per}`;
}

function admit(counted: Counted): LimitedAdmission {
  const accounts = counted.flatMap((limit) => limit.accounts);
  for (const account of accounts) {
    account.allowance.take();
    account.running += 1;
  }
  let isEnded = false;
  return {
    isRunning: counted.some(({ rule }) => rule.concurrent !== null),
    headers: limitHeaders(counted),
    end() {
      if (isEnded) return;
      isEnded = true;
      for (const account of accounts) {
        account.allowance.end();
        account.running -= 1;
      }
    },
  };
}

function nearestCallers(limits: readonly CountedLimit[]): readonly LimitUsage[] {
  const usages = limits.flatMap((limit) =>
    [...limit.accounts.all()].map((account) => usageOf(limit, account)).filter(isUsed),
  );
  return usages.sort((one, other) => other.usedPercent - one.usedPercent).slice(0, MAX_SHOWN_CALLERS);
}

function isUsed({ usedPercent }: LimitUsage): boolean {
  return usedPercent > 0;
}

function usageOf({ name, rule }: CountedLimit, account: CallerAccount): LimitUsage {
  const { caller, issuer, allowance, running, refused } = account;
  const remaining = allowance.remaining();
  const burst = Math.max(1, burstOf(rule));
  const ofRate = remaining === undefined ? 0 : 1 - remaining / burst;
  const ofSlots = rule.concurrent === null ? 0 : running / rule.concurrent;
  const usedPercent = Math.min(100, Math.max(0, Math.round(Math.max(ofRate, ofSlots) * 100)));
  return { limit: name, caller, issuer, remaining: remaining ?? null, running, refused, usedPercent };
}

function metricsOf(limits: readonly CountedLimit[], shared: SharedCounts | undefined): readonly Metric[] {
  if (limits.length === 0) return [];
  return [
    counter(
      'gatehouse_limited_requests_total',
      'Calls that a limit of callers rejected, by reason: rate, or concurrent.',
      limits.flatMap(({ name, refused }) =>
        Object.entries(refused).map(([reason, value]) => ({ labels: { limit: name, reason }, value })),
      ),
    ),
    gauge(
      'gatehouse_limit_callers',
      'Callers that a limit currently counts.',
      limits.map(({ name, accounts }) => ({ labels: { limit: name }, value: accounts.size() })),
    ),
    gauge(
      'gatehouse_limits_shared',
      '1 while the nodes of a cluster share the counts of limits; 0 while each node applies its share. Absent with SQLite.',
      shared ? [{ labels: {}, value: shared.state() === 'cluster' ? 1 : 0 }] : [],
    ),
  ];
}
