import { useEffect, useState, useSyncExternalStore } from 'react';
import { pathOf } from './api-request.js';
import { isSessionEnded, onSessionChange, renewSession, SIGNED_IN_PATH } from './session.js';

/** Returns true while the person must sign in again. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(onSessionChange, isSessionEnded);
}

/** Part of the reply of `GET /console/sign-in`. */
interface SignInChoices {
  readonly local: boolean;
  readonly issuers: readonly { readonly issuer: string }[];
}

/**
 * Returns the address at which the person signs in again in a window of its own: that of the only identity
 * provider, or the sign-in page if there is a choice.
 */
export function useSignInAgainPath(): string {
  const [path, setPath] = useState(pathOf(['ui', 'sign-in'], { return: SIGNED_IN_PATH }));
  useEffect(() => {
    let isUnmounted = false;
    fetch('/console/sign-in', { headers: { accept: 'application/json' } })
      .then((response) => response.json())
      .then((choices: SignInChoices) => {
        const [only, ...others] = choices.issuers;
        if (isUnmounted || !only || others.length > 0 || choices.local) return;
        setPath(pathOf(['console', 'oidc', 'begin'], { issuer: only.issuer, return: SIGNED_IN_PATH }));
      })
      .catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, []);
  return path;
}

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
