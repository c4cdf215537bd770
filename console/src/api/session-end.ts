import { useEffect, useState } from 'react';
import { renewSession } from './session.js';

/** Last part of a session, in which the pages warn, in milliseconds. */
const WARN_MS = 300_000;
/** Longest time of a timer of the browser, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns the seconds until a session ends, once there are at most five minutes left and the session could not be
 * renewed without the person; otherwise `undefined`. `endsAt` is in milliseconds since 1970, of the clock of the
 * browser; `undefined` for a session that renews itself.
 */
export function useSecondsLeft(endsAt: number | undefined): number | undefined {
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    setSeconds(undefined);
    if (endsAt === undefined) return undefined;
    let timer: number | undefined;
    let isUnmounted = false;
    const count = (): void => {
      const left = endsAt - Date.now();
      setSeconds(Math.max(0, Math.round(left / 1000)));
      if (left > 0) timer = window.setTimeout(count, Math.min(left, 1000));
    };
    const begin = async (): Promise<void> => {
      const renewal = await renewSession();
      if (renewal !== 'renewed' && !isUnmounted) count();
    };
    const wait = (): void => {
      const delay = endsAt - Date.now() - WARN_MS;
      if (delay <= 0) void begin();
      else timer = window.setTimeout(wait, Math.min(delay, MAX_TIMER_MS));
    };
    wait();
    return () => {
      isUnmounted = true;
      window.clearTimeout(timer);
    };
  }, [endsAt]);
  return seconds;
}
