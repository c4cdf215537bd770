import { didYouMean } from '../lib/closest-name.js';
import { maySeeAdapter } from './access-decision.js';
import type { AdapterPolicy } from './access-policy.js';
import type { RoleHolder } from './principal.js';
import { Problem } from './problem.js';

/** Pattern of an adapterId, which is used as a file name and as a URL segment. */
export const ADAPTER_ID_PATTERN = '^(?!__proto__$)[A-Za-z0-9_-][A-Za-z0-9 ._-]{0,63}$';

/** Description of the pattern for messages. */
export const ADAPTER_ID_WORDS =
  '1 to 64 letters, digits, spaces, ".", "_" and "-", the first neither a space nor a "."';

/** Message for a name that is not an adapterId. */
export const ADAPTER_ID_HINT = `is no adapterId: use ${ADAPTER_ID_WORDS}`;

const ADAPTER_ID = new RegExp(ADAPTER_ID_PATTERN);

export function isAdapterId(name: string): boolean {
  return ADAPTER_ID.test(name);
}

/** Maximum number of tags of an adapter. */
export const MAX_TAGS = 20;

/** Pattern of a tag: at most 64 characters, no spaces and no commas, so that lists of tags fit into a URL. */
export const TAG_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._:/=@-]{0,63}$';

/** Message for a text that is not a tag. */
export const TAG_HINT =
  'is no tag: use 1 to 64 letters, digits and ". _ - : / = @", the first a letter or a digit, for example site:berlin';

/**
 * Creates the Problem for a name that no adapter has, or none that the caller may see. It suggests the most similar of `visible`,
 * the names of the adapters that the caller may see, so that it reveals no others.
 */
export function adapterNotFound(name: string, visible: readonly string[] = []): Problem {
  return new Problem('adapter_not_found', `there is no adapter "${name}"${didYouMean(name, visible)}`);
}

/** Returns the names of the adapters that a caller may see; none without a caller. */
export function visibleNames(
  policies: ReadonlyMap<string, AdapterPolicy>,
  principal: RoleHolder | undefined,
): readonly string[] {
  if (principal === undefined) return [];
  return [...policies].filter(([, policy]) => maySeeAdapter(policy, principal)).map(([name]) => name);
}
