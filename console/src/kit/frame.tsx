import { type ReactNode, useState } from 'react';
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

/** Width of the window from which on the navigation is beside the page, in pixels. */
const WIDE = 1200;

/**
 * Renders the frame around every page: a header, and the navigation beside the page. On small screens a
 * button opens the navigation.
 */
export function Frame({ groups, children, brand, brandLabel, search, end }: FrameProps): ReactNode {
  const [isNavOpen, setNavOpen] = useState(window.innerWidth >= WIDE);
  const closeNarrow = () => window.innerWidth < WIDE && setNavOpen(false);
  return (
    <div className="gh-frame" data-nav={isNavOpen ? 'open' : 'closed'}>
      <a className="gh-skip" href={`#${MAIN}`}>
        {text('skip')}
      </a>
      <header className="gh-masthead">
        <button
          type="button"
          id="nav-toggle"
          className="gh-button"
          data-kind="plain"
          aria-label={text('navigation')}
          aria-expanded={isNavOpen}
          aria-controls="nav"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          ☰
        </button>
        <Link href="/" className="gh-home" aria-label={brandLabel}>
          {brand}
        </Link>
        <SearchButton {...search} />
        {end}
      </header>
      <nav id="nav" className="gh-nav" aria-label={text('pages')} hidden={!isNavOpen}>
        {groups.map(({ title, pages }) => (
          <div key={title}>
            <p>{title}</p>
            <ul aria-label={title}>
              {pages.map(({ to, title: name, isCurrent }) => (
                <li key={to}>
                  <Link href={to} aria-current={isCurrent ? 'page' : undefined} onClick={closeNarrow}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id={MAIN} className="gh-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function SearchButton({ label, keys, onPress }: SearchButtonProps): ReactNode {
  return (
    <button type="button" className="gh-search-button" aria-keyshortcuts="Control+K" onClick={onPress}>
      <span>{label}</span> <kbd aria-hidden="true">{keys}</kbd>
    </button>
  );
}
