import { formatFault } from '../../core/fault.js';
import { Problem } from '../../core/problem.js';
import type { LifecycleDeps } from './deps.js';

/** Applies the stored records to the running server. Throws `not_taken_up` if faults prevent that. */
export async function applyRecords({ apply: work }: LifecycleDeps): Promise<void> {
  const faults = await work();
  if (faults.length === 0) return;
  throw new Problem('not_taken_up', `kept, but not live: ${faults.map(formatFault).join('; ')}`);
}
