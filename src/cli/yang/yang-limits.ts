import type { YangFault } from '../../yang/diagnostic.js';
import type { Limits } from '../../yang/limits.js';
import { UsageError } from '../lib/command.js';

/** Options of the limits that a user may raise, for `parsePositionals`. */
export const LIMIT_OPTIONS = {
  'max-nodes': { type: 'string' },
  'max-statements': { type: 'string' },
  'max-characters': { type: 'string' },
  'timeout-ms': { type: 'string' },
} as const;

const OPTION_OF_LIMIT = {
  nodes: 'max-nodes',
  statements: 'max-statements',
  bytes: 'max-characters',
  milliseconds: 'timeout-ms',
} as const satisfies Partial<Record<keyof Limits, keyof typeof LIMIT_OPTIONS>>;

/** Returns the limits that the options set. Throws a UsageError for a value that is not a positive integer. */
export function limitsOf(
  values: Readonly<Partial<Record<keyof typeof LIMIT_OPTIONS, string>>>,
): Partial<Limits> {
  const given = Object.entries(OPTION_OF_LIMIT).flatMap(([limit, option]) => {
    const value = values[option];
    if (value === undefined) return [];
    if (!/^[1-9][0-9]{0,14}$/.test(value)) throw new UsageError(`--${option} ${value}: use a number above 0`);
    return [[limit, Number(value)] as const];
  });
  return Object.fromEntries(given);
}

/** Returns what to do about an exceeded limit; empty for other faults. */
export function limitAdvice({ limit }: YangFault): string {
  const option = Object.entries(OPTION_OF_LIMIT).find(([name]) => name === limit)?.[1];
  return option === undefined ? '' : `; raise the limit with --${option}`;
}
