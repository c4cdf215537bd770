import { type Fault, formatFault } from '../core/fault.js';

/** Codes of faults whose message names their cause completely, so that one mend removes all faults with the same message. */
const ONE_CAUSE: ReadonlySet<string> = new Set(['certificate', 'production']);

/** Maximum number of other places that a group names. */
const MAX_NAMED_PLACES = 3;

/**
 * Formats faults for people, in their order. Faults of one cause are one text with the places that share it, for example the
 * adapters that use one CA file.
 */
export function formatGrouped(faults: readonly Fault[]): readonly string[] {
  const groups = new Map<unknown, Fault[]>();
  for (const fault of faults) {
    const key = ONE_CAUSE.has(fault.code) ? `${fault.message}\n${fault.fix}` : fault;
    const group = groups.get(key);
    if (group) group.push(fault);
    else groups.set(key, [fault]);
  }
  return [...groups.values()].map(formatGroup);
}

function formatGroup([first, ...others]: readonly Fault[]): string {
  if (!first) return '';
  if (others.length === 0) return formatFault(first);
  const named = others
    .slice(0, MAX_NAMED_PLACES)
    .map(({ file, line }) => (line > 0 ? `${file}:${line}` : file));
  const unnamed = others.length - named.length;
  const places = `${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`;
  return `${formatFault(first)}\n    The same in ${others.length} other ${others.length === 1 ? 'place' : 'places'}: ${places}`;
}
