import type { ReactNode } from 'react';
import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
} from '@patternfly/react-core/dist/esm/components/Masthead';
import { Nav, NavGroup, NavItem } from '@patternfly/react-core/dist/esm/components/Nav';
import {
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
} from '@patternfly/react-core/dist/esm/components/Page';
import { SkipToContent } from '@patternfly/react-core/dist/esm/components/SkipToContent';
import { Link, useLocation } from 'wouter';
import logo from '../style/gatehouse.svg';
import { PLACES } from './places.js';
import { useSession } from './session.js';
import { UserMenu } from './user-menu.js';

const MAIN = 'main-content';

/** The frame around every page: where one is, where one can go, and who one is. */
export function Shell({
  children,
  isLive,
}: {
  readonly children: ReactNode;
  readonly isLive: boolean;
}): ReactNode {
  return (
    <Page
      masthead={<Head isLive={isLive} />}
      sidebar={<Side />}
      skipToContent={<SkipToContent href={`#${MAIN}`}>Skip to content</SkipToContent>}
      mainContainerId={MAIN}
      isManagedSidebar
    >
      {children}
    </Page>
  );
}

function Head({ isLive }: { readonly isLive: boolean }): ReactNode {
  return (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label="Navigation" id="nav-toggle" />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo
            component={(props: object) => <Link href="/" {...props} aria-label="gatehouse, overview" />}
          >
            <img src={logo} alt="" width="28" height="28" /> <span className="gh-brand">gatehouse</span>
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <div className="gh-masthead-end">
          <span className="gh-live" data-live={isLive} role="status">
            {isLive ? 'live' : 'not live'}
          </span>
          <UserMenu />
        </div>
      </MastheadContent>
    </Masthead>
  );
}

function Side(): ReactNode {
  const { may } = useSession();
  const [path] = useLocation();
  const groups = PLACES.map(({ group, places }) => ({
    group,
    places: places.filter(({ title, needs }) => title !== undefined && may(needs)),
  })).filter(({ places }) => places.length > 0);
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label="Pages">
          {groups.map(({ group, places }) => (
            <NavGroup key={group} title={group}>
              {places.map((place) => (
                <NavItem key={place.path} itemId={place.path} isActive={isAt(path, place.path)}>
                  <Link href={place.path}>{place.title}</Link>
                </NavItem>
              ))}
            </NavGroup>
          ))}
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}

function isAt(path: string, place: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
}
