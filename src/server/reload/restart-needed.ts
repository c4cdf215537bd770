import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../core/pointer.js';
import type { Desired } from './desired-state.js';

/** Parts of the main file that are opened once in the life of the process. */
const FIXED = [
  '/release',
  ...['/server/listen', '/server/tls', '/server/limits', '/server/overload', '/server/drainSeconds'],
  '/server/workers',
  ...['/storage', '/audit', '/vault', '/auth/local/keyFile', '/log/format', '/log/file'],
  ...['/log/rotation', '/log/syslog', '/tracing', '/console'],
  ...['/forms/validateTimeoutMs', '/forms/validateMemoryMb', '/forms/yangPath'],
];

/** The built-in issuer can be switched off at run time, but its key is opened at the start alone. */
const ENABLED = '/auth/local/enabled';

/** Pointers of the parts that differ from what the process was started with, and that a reload cannot change. */
export function restartNeeded(started: Desired, next: Desired): readonly string[] {
  const partOf = ({ main }: Desired, pointer: string): unknown => valueAt(main.written.value, pointer);
  const switchedOn = partOf(started, ENABLED) === false && partOf(next, ENABLED) === true;
  const changed = FIXED.filter(
    (pointer) => !isDeepStrictEqual(partOf(started, pointer), partOf(next, pointer)),
  );
  return switchedOn ? [...changed, ENABLED] : changed;
}
