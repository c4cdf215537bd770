import type { AdapterView } from '../../core/adapter-directory.js';

/** Returns an adapter as lists and look-ups report it (wire section 5.2). */
export function entryOf({ document, isActive, behind }: AdapterView): object {
  return { metadata: { isActive, activeSync: behind === undefined }, data: document };
}
