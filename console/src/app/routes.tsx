import { type ReactNode, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../api/problem.js';
import { signInAsAnother } from '../api/session.js';
import { Guard } from '../guard/guard.js';
import { Failure, Loading } from '../kit/feedback.js';
import { OuterLink } from '../kit/link.js';
import { formatAlternatives, formatList } from '../kit/numbers.js';
import { Page } from '../kit/page.js';
import { reportNavigation } from '../kit/route-focus.js';
import { StatusPage, type StatusPageProps } from '../kit/status-page.js';
import { rich } from '../text/rich.js';
import { pageTextOf, textOf } from '../text/text.js';
import { useLoaded } from './loaded.js';
import type { PageRoute } from './page-route.js';
import { PAGES } from './pages.js';
import { type Session, useSession } from './session.js';

const text = textOf('shell');

/**
 * Shows the page of the current URL. Redirects a user without access to the first page to the first permitted
 * page.
 */
export function Routes(): ReactNode {
  const session = useSession();
  const [location] = useLocation();
  const [previous, setPrevious] = useState(location);
  if (previous !== location) {
    setPrevious(location);
    reportNavigation();
  }
  const fallbackPage = firstPermitted(session);
  return (
    <Guard key={location} fallback={pageError}>
      <Switch>
        {PAGES.map(({ path, area, needs, load }) => (
          <Route key={path} path={path}>
            {session.may(needs) ? (
              <LoadedPage load={load} area={area} />
            ) : path === '/' && fallbackPage ? (
              <Redirect to={fallbackPage.path} replace />
            ) : (
              <Forbidden session={session} needs={needs} fallbackPage={fallbackPage} />
            )}
          </Route>
        ))}
        <Route>
          <Page title={text('notFound')}>
            <StatusPage status="404" title={text('notFound.title')} fallbackPage={fallbackPage}>
              <p>{text('notFound.help')}</p>
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
    <Page title={text('pageError')}>
      <Failure problem={problemOf(error)} onRetry={() => window.location.reload()} />
    </Page>
  );
}

function firstPermitted({ may }: Session): StatusPageProps['fallbackPage'] {
  const page = PAGES.find(({ key, needs }) => key !== undefined && may(needs));
  return page && { path: page.path, title: pageTextOf(page.area)('title') };
}

interface ForbiddenProps extends Pick<StatusPageProps, 'fallbackPage'> {
  readonly session: Session;
  /** Id of the operation that the page needs. */
  readonly needs: string;
}

/** Names the missing roles and the user, and links to the sign-in. */
function Forbidden({ session, needs, fallbackPage }: ForbiddenProps): ReactNode {
  const { name, roles } = session;
  const missing = session.missingRolesOf(needs);
  return (
    <Page title={text('denied')}>
      <StatusPage status="403" title={text('denied.title')} fallbackPage={fallbackPage}>
        {missing.length > 0 && (
          <p>{text('denied.needs', { count: missing.length, roles: formatAlternatives(missing) })}</p>
        )}
        <p>{text('denied.roles', { count: roles.length, name, roles: formatList(roles) })}</p>
        <p>
          {rich(text, 'denied.help', {
            link: (children) => <OuterLink to={signInAsAnother()}>{children}</OuterLink>,
          })}
        </p>
      </StatusPage>
    </Page>
  );
}

/** Shows a page as soon as its script and its messages are loaded. */
function LoadedPage({ load, area }: Pick<PageRoute, 'load' | 'area'>): ReactNode {
  const Page = useLoaded(load, area);
  return Page ? <Page /> : <Loading what={text('page')} />;
}
