import { type ReactNode, type RefObject, useState } from 'react';

/** Maximum length of a reason, in characters. */
const REASON_LENGTH = 2000;

export interface RejectDialogProps {
  /** Opened with `showModal()`: the browser keeps the focus inside and restores it on close. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly onReject: (reason: string) => void;
}

/** Asks for the reason of a rejection, which the requester of the task receives. */
export function RejectDialog({ dialog, onReject }: RejectDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const close = () => dialog.current?.close();
  const reject = () => {
    close();
    onReject(reason.trim());
  };
  return (
    <dialog ref={dialog} className="gh-task-dialog" aria-labelledby="reject-title">
      <h2 id="reject-title">Reject this task</h2>
      <label htmlFor="reject-reason">Why? The requester sees the reason.</label>
      <textarea
        id="reject-reason"
        rows={5}
        maxLength={REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="gh-task-buttons">
        <button
          type="button"
          className="gh-task-button"
          data-kind="bad"
          disabled={reason.trim() === ''}
          onClick={reject}
        >
          Reject
        </button>
        <button type="button" className="gh-task-button" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
