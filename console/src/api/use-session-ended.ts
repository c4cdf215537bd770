import { useEffect, useState, useSyncExternalStore } from 'react';
import { pathOf } from './api-request.js';
import { isSessionEnded, onSessionChange, SIGNED_IN_PATH } from './session.js';

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
