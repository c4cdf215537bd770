import type { ReactNode } from 'react';
import { Dialog } from '../kit/dialog.js';
import { Keys, KeyTable } from '../kit/keys.js';
import { pageTextOf, textOf } from '../text/text.js';
import { GO_TO_KEY } from './key-commands.js';
import type { OverlayProps } from './overlay.js';
import { PAGES } from './pages.js';
import { useSession } from './session.js';

const text = textOf('shell');

/** Lists the keys of every page of the console. */
export function KeysSheet({ onClose }: OverlayProps): ReactNode {
  const { may } = useSession();
  const pages = PAGES.filter(({ needs }) => may(needs));
  return (
    <Dialog title={text('keys.title')} isOpen onClose={onClose}>
      <KeyTable
        title={text('keys.anywhere')}
        rows={[
          [<Keys key="keys" keys={['Ctrl', 'K']} />, text('keys.palette')],
          [<Keys key="keys" keys={['/']} />, text('keys.search')],
          [<Keys key="keys" keys={['?']} />, text('keys.sheet')],
          [<Keys key="keys" keys={['Esc']} />, text('keys.escape')],
          [<Keys key="keys" keys={['Tab']} />, text('keys.tab')],
          [<Keys key="keys" keys={['←', '→', '↑', '↓']} />, text('keys.arrows')],
        ]}
      />
      <KeyTable
        title={text('keys.goTo')}
        rows={pages.flatMap(({ area, key }) =>
          key === undefined
            ? []
            : [
                [
                  <Keys key="keys" keys={[GO_TO_KEY, key]} between={text('keys.then')} />,
                  pageTextOf(area)('title'),
                ] as const,
              ],
        )}
      />
      <p className="gh-key-note">{text('keys.form')}</p>
    </Dialog>
  );
}
