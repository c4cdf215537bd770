import { useEffect, useRef } from 'react';
import { useConnectionLost } from './connection.js';
import { request } from './request.js';

/** Interval between attempts to reach the server, in milliseconds. */
export const RETRY_MS = 5000;

/** Sends a request that every person may send; `api/request.ts` reports whether the server answered. */
export function tryConnection(): void {
  void request({ path: '/console/sign-in' }).catch(() => undefined);
}

/** Tries to reach the server while the connection is lost. Returns true while it is, and calls back when it is restored. */
export function useRetry(onRestored: () => void): boolean {
  const isLost = useConnectionLost();
  const wasLost = useRef(false);
  const latest = useRef(onRestored);
  latest.current = onRestored;
  useEffect(() => {
    if (wasLost.current && !isLost) latest.current();
    wasLost.current = isLost;
    if (!isLost) return undefined;
    const timer = window.setInterval(tryConnection, RETRY_MS);
    window.addEventListener('online', tryConnection);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', tryConnection);
    };
  }, [isLost]);
  return isLost;
}
