import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { Failure, Loading } from '../kit/feedback.js';
import { StatusPage, type StatusPageProps } from '../kit/status-page.js';
import { Page } from '../kit/page.js';
import { type NavEntry, NAV_GROUPS } from './routes-nav.js';
import { type Session, useSession } from './session.js';

const PAGES = NAV_GROUPS.flatMap(({ pages }) => pages);

/**
 * Shows the page of the current URL. Redirects a user without access to the first page to the first permitted
 * page.
 */
export function Routes(): ReactNode {
  const session = useSession();
  const [location] = useLocation();
  const fallbackPage = firstPermitted(session);
  const forbidden = <Forbidden roles={session.roles} fallbackPage={fallbackPage} />;
  return (
    <Guard key={location} fallback={pageError}>
      <Switch>
        {PAGES.map(({ path, needs, load }) => (
          <Route key={path} path={path}>
            {session.may(needs) ? (
              <LoadedPage load={load} />
            ) : path === '/' && fallbackPage ? (
              <Redirect to={fallbackPage.path} replace />
            ) : (
              forbidden
            )}
          </Route>
        ))}
        <Route>
          <Page title="Not found">
            <StatusPage status="404" title="Page not found" fallbackPage={fallbackPage}>
              <p>Check the address, or choose a page in the navigation.</p>
            </StatusPage>
          </Page>
        </Route>
      </Switch>
    </Guard>
  );
}

/**
 * Renders an error of a page. A page also fails to load after an upgrade of the server, which renames the
 * scripts.
 */
function pageError(error: Error): ReactNode {
  return (
    <Page title="Page error">
      <Failure problem={problemOf(error)} onRetry={() => window.location.reload()} />
    </Page>
  );
}

function firstPermitted({ may }: Session): StatusPageProps['fallbackPage'] {
  return NAV_GROUPS.flatMap(({ pages }) => pages).flatMap(({ path, title, needs }) =>
    title !== undefined && may(needs) ? [{ path, title }] : [],
  )[0];
}

function Forbidden({
  roles,
  fallbackPage,
}: Pick<Session, 'roles'> & Pick<StatusPageProps, 'fallbackPage'>): ReactNode {
  return (
    <Page title="Access denied">
      <StatusPage status="403" title="You do not have access to this page" fallbackPage={fallbackPage}>
        <p>You are signed in with {roleWords(roles)}.</p>
        <p>Ask an administrator for a role that may open this page.</p>
      </StatusPage>
    </Page>
  );
}

function roleWords(roles: readonly string[]): string {
  if (roles.length === 0) return 'no role';
  return `the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}`;
}

interface LoadedPageProps {
  readonly load: NavEntry['load'];
}

/** Pages whose script has been loaded. */
const loaded = new Map<NavEntry['load'], ComponentType>();

/**
 * Loads the script of a page and shows the page as soon as the script is loaded; throws if loading fails.
 * `Suspense` with `lazy` is not used, because React shows its fallback for at least 300 ms.
 */
function LoadedPage({ load }: LoadedPageProps): ReactNode {
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
