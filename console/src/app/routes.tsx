import { type ReactNode, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { problemOf } from '../api/problem.js';
import { signInAsAnother } from '../api/session.js';
import { Guard } from '../guard/guard.js';
import { Failure, Loading } from '../kit/feedback.js';
import { Link, OuterLink } from '../kit/link.js';
import { formatAlternatives, formatList } from '../kit/numbers.js';
import { Page } from '../kit/page.js';
import { reportNavigation } from '../kit/route-focus.js';
import { rich } from '../text/rich.js';
import { pageTextOf } from '../text/text.js';
import { useLoaded } from './loaded.js';
import type { PageRoute } from './page-route.js';
import { PAGES } from './pages.js';
import { type Session, useSession } from './session.js';
import { text } from './shell-text.js';
import '../style/status-page.css';

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
  const fallback = firstPermitted(session);
  return (
    <Guard key={location} fallback={pageError}>
      <Switch>
        {PAGES.map(({ path, area, needs, load }) => (
          <Route key={path} path={path}>
            {session.may(needs) ? (
              <LoadedPage load={load} area={area} />
            ) : path === '/' && fallback ? (
              <Redirect to={fallback.path} replace />
            ) : (
              <Forbidden needs={needs} />
            )}
          </Route>
        ))}
        <Route>
          <StatusPage status="404" name={text('notFound')} title={text('notFound.title')}>
            <p>{text('notFound.help')}</p>
          </StatusPage>
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

function firstPermitted({ may }: Session): PageRoute | undefined {
  return PAGES.find(({ key, needs }) => key !== undefined && may(needs));
}

/** Names the missing roles and the user, and links to the sign-in. `needs` is the id of the operation of the page. */
function Forbidden({ needs }: Pick<PageRoute, 'needs'>): ReactNode {
  const { name, roles, missingRolesOf } = useSession();
  const missing = missingRolesOf(needs);
  return (
    <StatusPage status="403" name={text('denied')} title={text('denied.title')}>
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
  );
}

/** Shows a page as soon as its script and its messages are loaded. */
function LoadedPage({ load, area }: Pick<PageRoute, 'load' | 'area'>): ReactNode {
  const Loaded = useLoaded(load, area);
  return Loaded ? <Loaded /> : <Loading what={text('page')} />;
}

interface StatusPageProps {
  /** HTTP status that the server would return. */
  readonly status: '403' | '404';
  /** Name of the page in the window. */
  readonly name: string;
  readonly title: string;
  /** The reason, and the next step. */
  readonly children: ReactNode;
}

/** Renders the page for a missing or forbidden page, with a link to a page that the user may open. */
function StatusPage({ status, name, title, children }: StatusPageProps): ReactNode {
  const fallback = firstPermitted(useSession());
  return (
    <Page title={name}>
      <div className="gh-nowhere">
        <svg viewBox="0 0 320 200" aria-hidden="true" focusable="false">
          <path className="gh-nowhere-way" d="M0 168 H104 M216 168 H320" />
          <path
            className="gh-nowhere-gate"
            d="M104 180 V44 h16 v14 h16 v-14 h16 v14 h16 v-14 h16 v14 h16 v-14 h16 v136 z"
          />
          {status === '403' ? (
            <>
              <path className="gh-nowhere-arch" d="M132 180 v-56 a28 28 0 0 1 56 0 v56 z" />
              <path
                className="gh-nowhere-bars"
                d="M146 180 v-80 M160 180 v-84 M174 180 v-80 M132 132 h56 M132 156 h56"
              />
            </>
          ) : (
            <path className="gh-nowhere-lost" d="M132 180 v-56 a28 28 0 0 1 56 0 v56" />
          )}
        </svg>
        <p className="gh-nowhere-status">{status}</p>
        <h2>{title}</h2>
        <div className="gh-nowhere-why">{children}</div>
        {fallback && (
          <Link to={fallback.path}>{text('goTo', { page: pageTextOf(fallback.area)('title') })}</Link>
        )}
      </div>
    </Page>
  );
}
