import type { LogLevel } from '../../src/core/log.js';
import type { Clock } from '../../src/lib/clock.js';

type TakeLine = (level: LogLevel, text: string) => void;

/** Maximum number of lines of each level in one second. */
const MAX_LINES = 100;

/** Passes on a limited number of lines of each level per second, and reports how many it dropped. */
export function limitLines(take: TakeLine, clock: Clock): TakeLine {
  const taken = new Map<LogLevel, number>();
  let second = 0;
  const beginSecond = (now: number): void => {
    const dropped = [...taken.values()].reduce((sum, count) => sum + Math.max(0, count - MAX_LINES), 0);
    if (dropped > 0) take('warn', `${dropped} lines were dropped`);
    taken.clear();
    second = now;
  };
  return (level, text) => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) beginSecond(now);
    const count = (taken.get(level) ?? 0) + 1;
    taken.set(level, count);
    if (count <= MAX_LINES) take(level, text);
  };
}
