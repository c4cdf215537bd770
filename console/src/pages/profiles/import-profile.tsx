import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { EntryForm, FileField, TextAreaField } from '../../kit/fields.js';
import { Failure } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { readObject } from './profile.js';

/** Imports a profile that was exported here or from the platform. */
export function ImportProfile(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const { mutate, error, isPending, reset } = useWrite(['/profiles']);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const write = (next: string) => {
    setText(next);
    setFault(undefined);
    reset();
  };
  const open = () => {
    write('');
    setOpen(true);
  };
  const send = () => {
    const read = readObject(text);
    if ('fault' in read) {
      setFault(read.fault);
      return;
    }
    const name = String(read.value['id']);
    const onImported = () => {
      setOpen(false);
      showToast('success', `Profile ${name} was imported. It is not active.`);
      navigate(pathOf(['profiles', name]));
    };
    const wanted = { method: 'POST', path: '/profiles/import', body: { properties: read.value } } as const;
    mutate(wanted, { onSuccess: onImported });
  };
  return (
    <>
      <Button onPress={open}>Import</Button>
      <Dialog
        title="Import a profile"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
        actions={
          <Button kind="primary" isBusy={isPending} isDisabled={text.trim() === ''} onPress={send}>
            Import
          </Button>
        }
      >
        <EntryForm label="Import a profile" onSubmit={send}>
          {error && <Failure problem={error} />}
          <FileField label="File" accept=".json,application/json" onText={write} />
          <TextAreaField
            label="Profile"
            isCode
            rows={14}
            value={text}
            onChange={write}
            help="Paste the JSON of an export. The profile is stored, but not activated. Plain-text secrets are refused."
            {...(fault !== undefined && { error: fault })}
            isRequired
          />
        </EntryForm>
      </Dialog>
    </>
  );
}
