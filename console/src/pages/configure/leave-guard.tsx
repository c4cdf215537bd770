import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { guardPage } from '../../kit/leaving.js';
import { textOf } from '../../text/text.js';

const text = textOf('configure');

/** Asks before unsaved input is lost, however the page or its tab is left. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }): ReactNode {
  const [held, setHeld] = useState<{ readonly leave: () => void }>();
  useEffect(() => (isDirty ? guardPage((leave) => setHeld({ leave })) : undefined), [isDirty]);
  const close = () => setHeld(undefined);
  return (
    <LeaveDialog
      isOpen={held !== undefined}
      onStay={close}
      onLeave={() => {
        close();
        held?.leave();
      }}
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
