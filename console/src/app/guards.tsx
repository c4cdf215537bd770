import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.js';
import { Guard } from '../guard/guard.js';
import { Dialog } from '../kit/dialog.js';
import { Failure } from '../kit/feedback.js';
import { text } from './shell-text.js';

interface GuardedProps {
  readonly children: ReactNode;
}

/** Shows an error of the console itself in place of the whole console. */
export function GuardedConsole({ children }: GuardedProps): ReactNode {
  return (
    <Guard
      fallback={(error) => (
        <main className="gh-console-error">
          <h1>{text('pageError')}</h1>
          <Failure problem={problemOf(error)} onRetry={() => window.location.reload()} />
        </main>
      )}
    >
      {children}
    </Guard>
  );
}

/** Shows an error of a part of the page in its place; the rest of the page stays. */
export function GuardedPart({ children }: GuardedProps): ReactNode {
  return <Guard fallback={(error) => <Failure problem={problemOf(error)} />}>{children}</Guard>;
}

/** Shows an error of a dialog or a drawer above the page, which stays. */
export function GuardedOverlay({
  children,
  onClose,
}: GuardedProps & { readonly onClose: () => void }): ReactNode {
  return (
    <Guard
      fallback={(error) => (
        <Dialog title={text('pageError')} isOpen onClose={onClose}>
          <Failure problem={problemOf(error)} />
        </Dialog>
      )}
    >
      {children}
    </Guard>
  );
}

/** Properties of everything that is shown above the page. */
export interface OverlayProps {
  readonly onClose: () => void;
}
