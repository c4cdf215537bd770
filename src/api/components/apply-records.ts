import { formatFault } from '../../core/fault.js';
import { Problem } from '../../core/problem.js';
import type { LifecycleDeps } from './deps.js';

/** Makes what was kept live. Throws `not_taken_up` when something else keeps it from that. */
export async function applyRecords({ apply: work }: LifecycleDeps): Promise<void> {
  const faults = await work();
  if (faults.length === 0) return;
  throw new Problem('not_taken_up', `kept, but not live: ${faults.map(formatFault).join('; ')}`);
}
