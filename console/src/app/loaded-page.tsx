import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from '../kit/feedback.js';
import type { NavEntry } from './routes-nav.js';

interface LoadedPageProps {
  readonly load: NavEntry['load'];
}

/** Pages whose script has been loaded. */
const loaded = new Map<NavEntry['load'], ComponentType>();

/**
 * Loads the script of a page and shows the page as soon as the script is loaded; throws if loading fails.
 * Does not use `lazy` in `Suspense`: React shows the fallback for at least 300 ms, however fast the script
 * loads.
 */
export function LoadedPage({ load }: LoadedPageProps): ReactNode {
  const [Page, setPage] = useState(() => loaded.get(load));
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    if (Page) return undefined;
    let isCurrent = true;
    load().then(
      (found) => {
        loaded.set(load, found);
        if (isCurrent) setPage(() => found);
      },
      (error: unknown) => {
        if (isCurrent) setFailure({ error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [load, Page]);
  if (failure) throw failure.error;
  return Page ? <Page /> : <Loading what="the page" />;
}
