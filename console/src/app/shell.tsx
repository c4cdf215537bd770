import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Frame } from '../kit/frame.js';
import { RequestDrawer } from '../pages/request/request-drawer.js';
import logo from '../style/gatehouse.svg';
import { pageTextOf, textOf } from '../text/text.js';
import { useCommands } from './commands.js';
import { GuardedPart } from './guards.js';
import { PAGE_GROUPS } from './pages.js';
import { PlatformProblems } from './platform-problems.js';
import { useSession } from './session.js';
import { UserMenu } from './user-menu.js';

const text = textOf('shell');

interface ShellProps {
  readonly children: ReactNode;
  /** True while the server sends events. */
  readonly isLive: boolean;
}

/** Renders the frame around every page: title, navigation, search and user menu. */
export function Shell({ children, isLive }: ShellProps): ReactNode {
  const { may } = useSession();
  const [path] = useLocation();
  const { overlay, openPalette, openHelp } = useCommands();
  const groups = PAGE_GROUPS.map(({ group, pages }) => ({
    title: text(group),
    pages: pages.flatMap(({ path: to, area, key, needs }) =>
      key !== undefined && may(needs)
        ? [{ to, title: pageTextOf(area)('title'), isCurrent: isCurrent(path, to) }]
        : [],
    ),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <Frame
      brandLabel={text('brand')}
      brand={
        <>
          <img src={logo} alt="" width="24" height="24" /> <span className="gh-brand">gatehouse</span>
        </>
      }
      search={{ label: text('search'), keys: text('search.keys'), onPress: openPalette }}
      end={
        <>
          {may('getEvents') && <LiveState isLive={isLive} />}
          <HelpButton onPress={openHelp} />
          <UserMenu />
        </>
      }
      groups={groups}
    >
      <GuardedPart>
        <PlatformProblems />
      </GuardedPart>
      {children}
      {overlay}
      <GuardedPart>
        <RequestDrawer />
      </GuardedPart>
    </Frame>
  );
}

function isCurrent(path: string, pagePath: string): boolean {
  return pagePath === '/' ? path === '/' : path === pagePath || path.startsWith(`${pagePath}/`);
}

function LiveState({ isLive }: { readonly isLive: boolean }): ReactNode {
  return (
    <span
      className="gh-live"
      data-live={isLive}
      role="status"
      title={text(isLive ? 'live.help' : 'notLive.help')}
    >
      {text(isLive ? 'live' : 'notLive')}
    </span>
  );
}

function HelpButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="gh-help-button"
      aria-label={text('help')}
      title={text('help')}
      onClick={onPress}
    >
      ?
    </button>
  );
}
