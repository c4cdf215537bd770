import { type ComponentType, useEffect, useState } from 'react';
import { isConnectionLost, onConnectionChange } from '../api/connection.js';
import { request } from '../api/request.js';
import { loadPageTexts } from '../text/start-texts.js';
import type { PageArea } from '../text/text.js';

export type Load<Props> = () => Promise<ComponentType<Props>>;

const loaded = new Map<Load<never>, ComponentType<never>>();

/**
 * Loads the script of a component with its messages, and returns the component as soon as both are loaded. Throws if the server
 * answers but has no such script: after an upgrade, which renames the scripts. While the server does not answer, waits
 * for it and reads the page again. `Suspense` with `lazy` is not used, because React shows its fallback for at least
 * 300 ms.
 */
export function useLoaded<Props>(load: Load<Props>, area?: PageArea): ComponentType<Props> | undefined {
  const [Component, setComponent] = useState(
    () => loaded.get(load as Load<never>) as ComponentType<Props> | undefined,
  );
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    if (Component) return undefined;
    let isCurrent = true;
    let stopWaiting: (() => void) | undefined;
    Promise.all([load(), area && loadPageTexts(area)]).then(
      ([found]) => {
        loaded.set(load as Load<never>, found as ComponentType<never>);
        if (isCurrent) setComponent(() => found);
      },
      async (error: unknown) => {
        await request({ path: '/console/sign-in' }).catch(() => undefined);
        if (!isCurrent) return;
        if (isConnectionLost()) stopWaiting = onConnectionChange(reloadWhenConnected);
        else setFailure({ error });
      },
    );
    return () => {
      isCurrent = false;
      stopWaiting?.();
    };
  }, [load, area, Component]);
  if (failure) throw failure.error;
  return Component;
}

/** A browser does not load the style sheet of a script again that it failed to load. */
function reloadWhenConnected(): void {
  if (!isConnectionLost()) window.location.reload();
}
