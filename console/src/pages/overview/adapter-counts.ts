import type { AdapterStatusView } from '../../api/observe.js';

/** Returns how many adapters serve calls, and how many run but are suspended. */
export function countsOf(adapters: readonly Pick<AdapterStatusView, 'state' | 'suspended'>[]): {
  readonly running: number;
  readonly paused: number;
} {
  const active = adapters.filter(({ state }) => state === 'RUNNING');
  const running = active.filter(({ suspended }) => suspended === null).length;
  return { running, paused: active.length - running };
}
