import { didYouMean } from '../lib/closest-name.js';
import { maySeeAdapter } from './access-decision.js';
import type { AdapterPolicy } from './access-policy.js';
import type { Principal } from './principal.js';
import { Problem } from './problem.js';

/**
 * Creates the Problem for a name that no adapter has, or none that the caller may see. It suggests the most similar of `visible`,
 * the names of the adapters that the caller may see, so that it tells nothing about the others.
 */
export function adapterNotFound(name: string, visible: readonly string[] = []): Problem {
  return new Problem('adapter_not_found', `there is no adapter "${name}"${didYouMean(name, visible)}`);
}

/** Returns the names of the adapters that a caller may see; none without a caller. */
export function visibleNames(
  policies: ReadonlyMap<string, AdapterPolicy>,
  principal: Pick<Principal, 'roles'> | undefined,
): readonly string[] {
  if (principal === undefined) return [];
  return [...policies].filter(([, policy]) => maySeeAdapter(policy, principal)).map(([name]) => name);
}
