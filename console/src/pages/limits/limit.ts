import type { LimitRule, LimitUsage } from '../../../../src/core/limits.js';
import { formatList } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';

const text = textOf('limits');

/** A limit with all its keys. */
export type LimitWords = LimitRule;

/** Part of a limit above which a caller is near it, in percent. */
const NEAR_PERCENT = 80;

/** Returns the state of a caller. */
export function stateOf({ usedPercent }: Pick<LimitUsage, 'usedPercent'>): {
  readonly status: 'good' | 'warning' | 'bad';
  readonly word: string;
} {
  if (usedPercent >= 100) return { status: 'bad', word: text('atLimit') };
  if (usedPercent >= NEAR_PERCENT) return { status: 'warning', word: text('nearLimit') };
  return { status: 'good', word: text('belowLimit') };
}

/** Returns what a limit permits, in words. */
export function permittedBy({
  requests,
  periodSeconds,
  burst,
  concurrent,
}: Pick<LimitRule, 'requests' | 'periodSeconds' | 'burst' | 'concurrent'>): readonly string[] {
  return [
    ...(requests === null ? [] : [text('rate', { requests, seconds: periodSeconds })]),
    ...(requests === null || burst === null ? [] : [text('burst', { burst })]),
    ...(concurrent === null ? [] : [text('concurrent', { concurrent })]),
  ];
}

/** Returns the calls that a limit counts, in words. */
export function countedBy({
  operations,
  adapters,
  roles,
  callerNames,
}: Pick<LimitRule, 'operations' | 'adapters' | 'roles' | 'callerNames'>): readonly string[] {
  const all = operations.length + adapters.length + roles.length + callerNames.length === 0;
  return [
    ...(all ? [text('allCalls')] : []),
    ...(operations.length === 0 ? [] : [text('forOperations', { names: formatList(operations) })]),
    ...(adapters.length === 0 ? [] : [text('forAdapters', { names: formatList(adapters) })]),
    ...(callerNames.length === 0 ? [] : [text('forCallers', { names: formatList(callerNames) })]),
    ...(roles.length === 0 ? [] : [text('forRoles', { names: formatList(roles) })]),
  ];
}
