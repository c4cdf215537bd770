import type { Redact } from '../core/secret.js';

/**
 * Returns a copy of a plain value whose strings and member names contain no known secret. An orchestrator, a plugin or a
 * caller may have put a secret there. Members whose names become equal are numbered.
 */
export function redactValue<T>(value: T, redact: Redact): T {
  const redacted = (item: unknown): unknown => {
    if (typeof item === 'string') return redact(item);
    if (typeof item !== 'object' || item === null) return item;
    if (Array.isArray(item)) return item.map(redacted);
    const members = new Map<string, unknown>();
    for (const [name, member] of Object.entries(item))
      members.set(freeName(redact(name), members), redacted(member));
    return Object.fromEntries(members);
  };
  return redacted(value) as T;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
  return free;
}
