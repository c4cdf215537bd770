import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { Frame } from '../kit/frame.js';
import logo from '../style/gatehouse.svg';
import { NAV_GROUPS } from './routes-nav.js';
import { useSession } from './session.js';
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.js';
import { announce } from '../api/session.js';
import { Menu } from '../kit/menu.js';
import { RequestDrawer } from '../pages/request/request-drawer.js';
import { useToast } from '../kit/toasts.js';
import { chooseTheme, chosenTheme, type Theme } from './theme.js';

/** Renders the frame around every page: title, navigation and user menu. */
export function Shell({
  children,
  isLive,
}: {
  readonly children: ReactNode;
  readonly isLive: boolean;
}): ReactNode {
  const { may } = useSession();
  const [path] = useLocation();
  const groups = NAV_GROUPS.map(({ group, pages }) => ({
    title: group,
    pages: pages.flatMap(({ path: to, title, needs }) =>
      title !== undefined && may(needs) ? [{ to, title, isCurrent: isCurrent(path, to) }] : [],
    ),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <Frame
      brandLabel="gatehouse, overview"
      brand={
        <>
          <img src={logo} alt="" width="28" height="28" /> <span className="gh-brand">gatehouse</span>
        </>
      }
      end={
        <>
          <span className="gh-live" data-live={isLive} role="status">
            {isLive ? 'live' : 'not live'}
          </span>
          <UserMenu />
        </>
      }
      groups={groups}
    >
      {children}
      <RequestDrawer />
    </Frame>
  );
}

function isCurrent(path: string, pagePath: string): boolean {
  return pagePath === '/' ? path === '/' : path === pagePath || path.startsWith(`${pagePath}/`);
}

/** Reply of `DELETE /console/session`. */
interface SignOutReply {
  /** Address of the sign-out at the identity provider. */
  readonly signOutUrl?: string;
}

const THEME_LABELS: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** Renders the menu with the user's name and roles, the theme, and signing out. */
function UserMenu(): ReactNode {
  const { name, roles } = useSession();
  const client = useQueryClient();
  const showToast = useToast();
  const [theme, setTheme] = useState(chosenTheme);
  const signOut = async () => {
    try {
      const { data } = await request<SignOutReply>({ method: 'DELETE', path: '/console/session' });
      client.clear();
      announce('signed-out');
      window.location.assign(data.signOutUrl ?? '/ui/sign-in');
    } catch (error) {
      showToast('danger', error instanceof Error ? error.message : 'Signing out failed.');
    }
  };
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Menu
      label={name}
      title={name}
      heading={roles.length === 0 ? 'No role' : roles.join(', ')}
      actions={[
        ...(Object.keys(THEME_LABELS) as Theme[]).map((key) => ({
          key,
          title: THEME_LABELS[key],
          isChosen: theme === key,
          onPress: () => choose(key),
        })),
        { key: 'leave', title: 'Sign out', onPress: () => void signOut() },
      ]}
    />
  );
}
