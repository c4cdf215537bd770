import type { ReactNode } from 'react';
import '../style/drawer.css';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { Button } from './button.js';
import { Modal } from './dialog.js';
import { Failure } from './feedback.js';
import { text } from './kit-text.js';

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Actions below the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Renders details at the side of the page; on small screens they cover it. The focus moves into the drawer and
 * stays inside; Escape and a click beside the drawer close it, and the focus returns. An error of the content is shown
 * in the drawer.
 */
export function Drawer({ title, onClose, actions, children }: DrawerProps): ReactNode {
  return (
    <Modal title={title} className="gh-drawer" onClose={onClose}>
      <div className="gh-drawer-content">
        <header className="gh-drawer-head">
          <h2>{title}</h2>
          <Button onPress={onClose}>{text('close')}</Button>
        </header>
        <Guard fallback={(error) => <Failure problem={problemOf(error)} />}>
          {actions !== undefined && <div className="gh-actions">{actions}</div>}
          {children}
        </Guard>
      </div>
    </Modal>
  );
}
