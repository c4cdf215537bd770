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
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { textOf } from '../text/text.js';

const text = textOf('kit');

/** A group of pages in the navigation. */
interface NavPageGroup {
  readonly title: string;
  readonly pages: readonly NavPage[];
}

/** A page in the navigation. */
interface NavPage {
  /** Path below /ui. */
  readonly to: string;
  readonly title: string;
  /** True for the current page. */
  readonly isCurrent: boolean;
}

interface FrameProps {
  /** Name and logo of the product. They link to the first page. */
  readonly brand: ReactNode;
  readonly brandLabel: string;
  /** The button that opens the search. */
  readonly search: SearchButtonProps;
  /** Shown at the end of the header. */
  readonly end: ReactNode;
  readonly groups: readonly NavPageGroup[];
  readonly children: ReactNode;
}

/** A button that looks like a search field. */
interface SearchButtonProps {
  readonly label: string;
  /** Its shortcut. */
  readonly keys: string;
  readonly onPress: () => void;
}

const MAIN = 'main-content';

type HeadProps = Pick<FrameProps, 'brand' | 'brandLabel' | 'search' | 'end'>;

/**
 * Renders the frame around every page: a header, and the navigation beside the page. On small screens a
 * button opens the navigation.
 */
export function Frame({ groups, children, ...head }: FrameProps): ReactNode {
  return (
    <Page
      masthead={<Head {...head} />}
      sidebar={<Side groups={groups} />}
      skipToContent={<SkipToContent href={`#${MAIN}`}>{text('skip')}</SkipToContent>}
      mainContainerId={MAIN}
      isManagedSidebar
    >
      {children}
    </Page>
  );
}

function Head({ brand, brandLabel, search, end }: HeadProps): ReactNode {
  return (
    <Masthead display={{ default: 'inline' }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label={text('navigation')} id="nav-toggle" />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props: object) => <Link href="/" {...props} aria-label={brandLabel} />}>
            {brand}
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <div className="gh-masthead-end">
          <SearchButton {...search} />
          {end}
        </div>
      </MastheadContent>
    </Masthead>
  );
}

function SearchButton({ label, keys, onPress }: SearchButtonProps): ReactNode {
  return (
    <button type="button" className="gh-search-button" aria-keyshortcuts="Control+K" onClick={onPress}>
      <span>{label}</span> <kbd aria-hidden="true">{keys}</kbd>
    </button>
  );
}

function Side({ groups }: Pick<FrameProps, 'groups'>): ReactNode {
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label={text('pages')}>
          {groups.map(({ title, pages }) => (
            <NavGroup key={title} title={title}>
              {pages.map(({ to, title: name, isCurrent }) => (
                <NavItem key={to} itemId={to} isActive={isCurrent}>
                  <Link href={to}>{name}</Link>
                </NavItem>
              ))}
            </NavGroup>
          ))}
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}
