import type { ReactNode } from 'react';
import '../style/keys.css';
import { Dialog } from '../kit/dialog.js';
import { pageTextOf } from '../text/text.js';
import type { OverlayProps } from './guards.js';
import { GO_TO_KEY } from './key-commands.js';
import { PAGES } from './pages.js';
import { useSession } from './session.js';
import { text } from './shell-text.js';

/** Lists the keys of every page of the console. */
export function KeysSheet({ onClose }: OverlayProps): ReactNode {
  const { may } = useSession();
  const pages = PAGES.filter(({ key, needs }) => key !== undefined && may(needs));
  return (
    <Dialog title={text('keys.title')} isOpen onClose={onClose}>
      <KeyTable
        title={text('keys.anywhere')}
        rows={[
          [['Ctrl', 'K'], text('keys.palette')],
          [['/'], text('keys.search')],
          [['?'], text('keys.sheet')],
          [['Esc'], text('keys.escape')],
          [['Tab'], text('keys.tab')],
          [['←', '→', '↑', '↓'], text('keys.arrows')],
        ]}
      />
      <KeyTable
        title={text('keys.goTo')}
        between={text('keys.then')}
        rows={pages.map(({ area, key = '' }) => [[GO_TO_KEY, key], pageTextOf(area)('title')])}
      />
      <p className="gh-key-note">{text('keys.form')}</p>
    </Dialog>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly rows: readonly (readonly [keys: readonly string[], meaning: string])[];
  /** Word between the keys of a sequence; absent for keys that are pressed together or are alternatives. */
  readonly between?: string;
}

/** Renders a list of shortcuts with their meaning. */
function KeyTable({ title, rows, between }: KeyTableProps): ReactNode {
  return (
    <section className="gh-key-table">
      <h2>{title}</h2>
      <dl>
        {rows.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt className="gh-keys">
              {keys.map((key, at) => (
                <span key={key}>
                  {at > 0 && between !== undefined && ` ${between} `}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
