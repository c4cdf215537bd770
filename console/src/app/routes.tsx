import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { Failure } from '../kit/feedback.js';
import { StatusPage, type StatusPageProps } from '../kit/status-page.js';
import { Page } from '../kit/page.js';
import { LoadedPage } from './loaded-page.js';
import { PLACES } from './routes-nav.js';
import { type Session, useSession } from './session.js';

const PAGES = PLACES.flatMap(({ places }) => places);

/**
 * Shows the page that the address names. A user who may not see the first page starts with the first
 * permitted one.
 */
export function Routes(): ReactNode {
  const session = useSession();
  const [location] = useLocation();
  const wayOut = firstOpen(session);
  const forbidden = <Forbidden roles={session.roles} wayOut={wayOut} />;
  return (
    <Guard key={location} broken={broken}>
      <Switch>
        {PAGES.map(({ path, needs, load }) => (
          <Route key={path} path={path}>
            {session.may(needs) ? (
              <LoadedPage load={load} />
            ) : path === '/' && wayOut ? (
              <Redirect to={wayOut.path} replace />
            ) : (
              forbidden
            )}
          </Route>
        ))}
        <Route>
          <Page title="Not found">
            <StatusPage status="404" title="Page not found" wayOut={wayOut}>
              <p>Check the address, or choose a page in the navigation.</p>
            </StatusPage>
          </Page>
        </Route>
      </Switch>
    </Guard>
  );
}

/** Also shown if a page could not be loaded: a newer server has it under another name. */
function broken(error: Error): ReactNode {
  return (
    <Page title="Page error">
      <Failure problem={problemOf(error)} onRetry={() => window.location.reload()} />
    </Page>
  );
}

function firstOpen({ may }: Session): StatusPageProps['wayOut'] {
  return PLACES.flatMap(({ places }) => places).flatMap(({ path, title, needs }) =>
    title !== undefined && may(needs) ? [{ path, title }] : [],
  )[0];
}

function Forbidden({ roles, wayOut }: Pick<Session, 'roles'> & Pick<StatusPageProps, 'wayOut'>): ReactNode {
  return (
    <Page title="Access denied">
      <StatusPage status="403" title="You do not have access to this page" wayOut={wayOut}>
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
