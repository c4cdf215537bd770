import type { AdapterStatusView } from '../../api/observe.js';
import { isTroubled } from './status.js';

/** Filters of the adapter list by state; the value is in the URL. */
export const STATE_FILTERS = [
  { value: '', label: 'any' },
  { value: 'problem', label: 'with problems' },
  { value: 'running', label: 'running' },
  { value: 'suspended', label: 'suspended' },
  { value: 'stopped', label: 'stopped' },
] as const;

const TESTS: Readonly<Record<string, (adapter: AdapterStatusView) => boolean>> = {
  problem: isTroubled,
  running: ({ state }) => state === 'RUNNING',
  suspended: ({ suspended }) => suspended !== null,
  stopped: ({ state }) => state === 'STOPPED',
};

/** Returns the adapters with a state and a type; empty or unknown values do not filter. */
export function chosenAdapters(
  adapters: readonly AdapterStatusView[],
  { state, type }: { readonly state: string; readonly type: string },
): readonly AdapterStatusView[] {
  const test = TESTS[state];
  return adapters.filter((adapter) => (!test || test(adapter)) && (type === '' || adapter.type === type));
}

/** Returns the existing types, sorted. */
export function typesOf(adapters: readonly AdapterStatusView[]): readonly string[] {
  return [...new Set(adapters.map(({ type }) => type))].sort();
}
