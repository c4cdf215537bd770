import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { RequestDrawer } from '../pages/request/request-drawer.js';
import logo from '../style/gatehouse.svg';
import { pageTextOf, textOf } from '../text/text.js';
import { PlatformProblems } from './banners.js';
import { useCommands } from './commands.js';
import { GuardedPart } from './guards.js';
import { PAGE_GROUPS } from './pages.js';
import { useSession } from './session.js';
import { text } from './shell-text.js';
import { UserMenu } from './user-menu.js';

const kitText = textOf('kit');

const MAIN = 'main-content';

/** Width of the window from which on the navigation is beside the page, in pixels. */
const WIDE = 1200;

interface ShellProps {
  readonly children: ReactNode;
  /** True while the server sends events. */
  readonly isLive: boolean;
}

/**
 * Renders the frame around every page: a header with search and user menu, and the navigation beside the page. On
 * small screens a button opens the navigation.
 */
export function Shell({ children, isLive }: ShellProps): ReactNode {
  const { may } = useSession();
  const { overlay, openPalette, openHelp } = useCommands();
  const [isNavOpen, setNavOpen] = useState(window.innerWidth >= WIDE);
  return (
    <div className="gh-frame" data-nav={isNavOpen ? 'open' : 'closed'}>
      <a className="gh-skip" href={`#${MAIN}`}>
        {kitText('skip')}
      </a>
      <header className="gh-masthead">
        <button
          type="button"
          id="nav-toggle"
          className="gh-button"
          data-kind="plain"
          aria-label={kitText('navigation')}
          aria-expanded={isNavOpen}
          aria-controls="nav"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          ☰
        </button>
        <Link href="/" className="gh-home" aria-label={text('brand')}>
          <img src={logo} alt="" width="24" height="24" /> <span className="gh-brand">gatehouse</span>
        </Link>
        <button
          type="button"
          className="gh-search-button"
          aria-keyshortcuts="Control+K"
          onClick={openPalette}
        >
          <span>{text('search')}</span> <kbd aria-hidden="true">{text('search.keys')}</kbd>
        </button>
        {may('getEvents') && (
          <span
            className="gh-live"
            data-live={isLive}
            role="status"
            title={text(isLive ? 'live.help' : 'notLive.help')}
          >
            {text(isLive ? 'live' : 'notLive')}
          </span>
        )}
        <button
          type="button"
          className="gh-help-button"
          aria-label={text('help')}
          title={text('help')}
          onClick={openHelp}
        >
          ?
        </button>
        <UserMenu />
      </header>
      <nav id="nav" className="gh-nav" aria-label={kitText('pages')} hidden={!isNavOpen}>
        <NavGroups onOpen={() => window.innerWidth < WIDE && setNavOpen(false)} />
      </nav>
      <main id={MAIN} className="gh-main" tabIndex={-1}>
        <GuardedPart>
          <PlatformProblems />
        </GuardedPart>
        {children}
        {overlay}
        <GuardedPart>
          <RequestDrawer />
        </GuardedPart>
      </main>
    </div>
  );
}

/** Renders links to the pages that the user may open, in groups. */
function NavGroups({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { may } = useSession();
  const [path] = useLocation();
  return PAGE_GROUPS.map(({ group, pages }) => {
    const shown = pages.filter(({ key, needs }) => key !== undefined && may(needs));
    if (shown.length === 0) return null;
    return (
      <div key={group}>
        <p>{text(group)}</p>
        <ul aria-label={text(group)}>
          {shown.map(({ path: to, area }) => (
            <li key={to}>
              <Link href={to} aria-current={isCurrent(path, to) ? 'page' : undefined} onClick={onOpen}>
                {pageTextOf(area)('title')}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function isCurrent(path: string, pagePath: string): boolean {
  return pagePath === '/' ? path === '/' : path === pagePath || path.startsWith(`${pagePath}/`);
}
