import type { AdapterPicture } from '../../api/observe.js';
import { isTroubled } from './status.js';

/** What a list of adapters can be narrowed to by state; the value stands in the address. */
export const STATE_FILTERS = [
  { value: '', label: 'any' },
  { value: 'problem', label: 'with problems' },
  { value: 'running', label: 'running' },
  { value: 'suspended', label: 'suspended' },
  { value: 'stopped', label: 'stopped' },
] as const;

const TESTS: Readonly<Record<string, (adapter: AdapterPicture) => boolean>> = {
  problem: isTroubled,
  running: ({ state }) => state === 'RUNNING',
  suspended: ({ suspended }) => suspended !== null,
  stopped: ({ state }) => state === 'STOPPED',
};

/** The adapters of a state and a type; what is empty or unknown narrows nothing. */
export function chosenAdapters(
  adapters: readonly AdapterPicture[],
  { state, type }: { readonly state: string; readonly type: string },
): readonly AdapterPicture[] {
  const test = TESTS[state];
  return adapters.filter((adapter) => (!test || test(adapter)) && (type === '' || adapter.type === type));
}

/** The types that there are, in order. */
export function typesOf(adapters: readonly AdapterPicture[]): readonly string[] {
  return [...new Set(adapters.map(({ type }) => type))].sort();
}
