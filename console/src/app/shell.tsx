import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Frame } from '../kit/frame.js';
import logo from '../style/gatehouse.svg';
import { PLACES } from './routes-nav.js';
import { useSession } from './session.js';
import { UserMenu } from './user-menu.js';

/** The frame around every page: title, navigation and user menu. */
export function Shell({
  children,
  isLive,
}: {
  readonly children: ReactNode;
  readonly isLive: boolean;
}): ReactNode {
  const { may } = useSession();
  const [path] = useLocation();
  const groups = PLACES.map(({ group, places }) => ({
    title: group,
    ways: places.flatMap(({ path: to, title, needs }) =>
      title !== undefined && may(needs) ? [{ to, title, isHere: isAt(path, to) }] : [],
    ),
  })).filter(({ ways }) => ways.length > 0);
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
    </Frame>
  );
}

function isAt(path: string, place: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
}
