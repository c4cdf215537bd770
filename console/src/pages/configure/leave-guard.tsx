import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { textOf } from '../../text/text.js';

const text = textOf('configure');

const BASE = '/ui';

/**
 * Asks before unsaved input is lost: when a link of the page is followed, and, by the browser, when the window
 * is closed or loaded again.
 */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }): ReactNode {
  const [, navigate] = useLocation();
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (!isDirty) return undefined;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const path = followedPath(event);
      if (path === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(path);
    };
    window.addEventListener('beforeunload', onUnload);
    // In the capture phase, before the router sees the click.
    document.addEventListener('click', onClick, true);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isDirty]);
  return (
    <LeaveDialog
      isOpen={wanted !== undefined}
      onStay={() => setWanted(undefined)}
      onLeave={() => navigate(wanted ?? '/')}
    />
  );
}

interface LeaveDialogProps {
  readonly isOpen: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks whether unsaved input is discarded. */
export function LeaveDialog({ isOpen, onStay, onLeave }: LeaveDialogProps): ReactNode {
  return (
    <Dialog
      title={text('leave')}
      isOpen={isOpen}
      onClose={onStay}
      actions={
        <Button kind="danger" onPress={onLeave}>
          {text('discard')}
        </Button>
      }
    >
      {text('leaveText')}
    </Dialog>
  );
}

/** Returns the path below /ui that a click follows in this window; undefined for any other click. */
function followedPath({ target, button, metaKey, ctrlKey, shiftKey }: MouseEvent): string | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || button !== 0 || metaKey || ctrlKey || shiftKey)
    return undefined;
  const { origin, pathname, search } = new URL(link.href);
  const isPage = link.target === '' && origin === window.location.origin && pathname.startsWith(`${BASE}/`);
  return isPage ? `${pathname.slice(BASE.length)}${search}` : undefined;
}
