import { type ReactNode, useId, useState } from 'react';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { SubmitButton } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { EntryForm, TextField } from '../../kit/fields.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { NOTIFICATIONS_PATH } from './api.js';

const text = textOf('notifications');

interface AcknowledgeDialogProps {
  /** Id of the problem. */
  readonly problem: string;
  /** The problem in one sentence. */
  readonly sentence: string;
  readonly onClose: () => void;
}

/** Asks for a note, and acknowledges the problem. */
export function AcknowledgeDialog({ problem, sentence, onClose }: AcknowledgeDialogProps): ReactNode {
  const [note, setNote] = useState('');
  const form = useId();
  const write = useWrite([NOTIFICATIONS_PATH]);
  const showToast = useToast();
  const submit = () =>
    write.mutate(
      { method: 'PUT', path: acknowledgementPath(problem), body: { note: note.trim() } },
      {
        onSuccess: () => {
          showToast('success', text('acknowledgedDone'));
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={text('acknowledgeTitle')}
      isOpen
      onClose={onClose}
      actions={
        <SubmitButton form={form} isBusy={write.isPending}>
          {text('acknowledge')}
        </SubmitButton>
      }
    >
      <EntryForm label={text('acknowledgeTitle')} id={form} onSubmit={submit}>
        <p>
          <strong>{sentence}</strong>
        </p>
        <p>{text('acknowledge.help')}</p>
        <TextField label={text('note')} value={note} help={text('note.help')} onChange={setNote} />
        {write.error && <Failure problem={write.error} />}
      </EntryForm>
    </Dialog>
  );
}

/** Returns the path of the acknowledgement of a problem. */
export function acknowledgementPath(problem: string): string {
  return pathOf(['notifications', 'problems', problem, 'acknowledgement']);
}
