import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pointerTokens } from '../../json/pointer.js';
import type { Desired } from '../../server/state/configuration.js';
import { restartNeeded } from '../../server/state/restart-needed.js';

/** Maximum number of keys that an event names. */
const MAX_KEYS = 8;

/**
 * Returns the text of the event of a reload that changed the main file: the file and the changed keys, never their values. Returns
 * undefined if the settings are the same. A profile changes settings as well, but is a separate act.
 */
export function settingsChange(before: Desired, now: Desired): string | undefined {
  const { written } = now.files.main;
  const keys = changedKeys(before.files.main.written.value, written.value);
  if (keys.length === 0) return undefined;
  const late = restartNeeded({ ...before, main: before.files.main }, { ...now, main: now.files.main });
  const lateKeys = new Set(late.map((pointer) => pointerTokens(pointer).slice(0, 2).join('.')));
  const [live, later] = [keys.filter((key) => !lateKeys.has(key)), keys.filter((key) => lateKeys.has(key))];
  const parts = [
    ...(live.length > 0 ? [listed(live)] : []),
    ...(later.length > 0 ? [`from the next start: ${listed(later)}`] : []),
  ];
  return `Settings changed in ${basename(written.document.file)}: ${parts.join('; ')}`;
}

function listed(keys: readonly string[]): string {
  const left = keys.length - MAX_KEYS;
  return `${keys.slice(0, MAX_KEYS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** Returns the names of the members that differ, sorted: of the section and its member, for example `log.level`. */
function changedKeys(before: unknown, now: unknown): readonly string[] {
  if (before === now) return [];
  return differingMembers(before, now).flatMap((section) => {
    const [one, other] = [memberOf(before, section), memberOf(now, section)];
    if (!isSection(one) || !isSection(other)) return [section];
    return differingMembers(one, other).map((key) => `${section}.${key}`);
  });
}

function differingMembers(one: unknown, other: unknown): readonly string[] {
  const names = new Set([one, other].flatMap((value) => (isSection(value) ? Object.keys(value) : [])));
  return [...names].filter((name) => !isDeepStrictEqual(memberOf(one, name), memberOf(other, name))).sort();
}

function memberOf(value: unknown, name: string): unknown {
  return isSection(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
