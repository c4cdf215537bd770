import type { AdapterView } from '../../core/adapter-directory.js';

/** An adapter as lists and look-ups tell it (wire section 5.2). */
export function entryOf({ document, isActive, behind }: AdapterView): object {
  return { metadata: { isActive, activeSync: behind === undefined }, data: document };
}
