import { useEffect, useState } from 'react';

/** Last part of a session, in which the pages warn, in milliseconds. */
const WARN_MS = 300_000;
/** Longest time of a timer of the browser, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns the seconds until a session ends, once there are at most five minutes left; otherwise `undefined`. `endsAt`
 * is in milliseconds since 1970, of the clock of the browser; `undefined` for a session that renews itself.
 */
export function useSecondsLeft(endsAt: number | undefined): number | undefined {
  const [now, setNow] = useState(Date.now);
  const left = endsAt === undefined ? Infinity : endsAt - now;
  useEffect(() => {
    if (left === Infinity || left <= 0) return undefined;
    const wait = left > WARN_MS ? Math.min(left - WARN_MS, MAX_TIMER_MS) : 1000;
    const timer = window.setTimeout(() => setNow(Date.now()), wait);
    return () => window.clearTimeout(timer);
  }, [left]);
  return left > WARN_MS ? undefined : Math.max(0, Math.round(left / 1000));
}
