import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { EntryForm, FileField, TextAreaField } from '../../kit/fields.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { readObject } from './profile.js';

const text = textOf('profiles');

/** Imports a profile that was exported here or from the platform. */
export function ImportProfile(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [json, setJson] = useState('');
  const [fault, setFault] = useState<string>();
  const { mutate, error, isPending, reset } = useWrite(['/profiles']);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const write = (next: string) => {
    setJson(next);
    setFault(undefined);
    reset();
  };
  const open = () => {
    write('');
    setOpen(true);
  };
  const send = () => {
    const read = readObject(json);
    if ('fault' in read) {
      setFault(read.fault);
      return;
    }
    const name = String(read.value['id']);
    const onImported = () => {
      setOpen(false);
      showToast('success', text('imported', { id: name }));
      navigate(pathOf(['profiles', name]));
    };
    const wanted = { method: 'POST', path: '/profiles/import', body: { properties: read.value } } as const;
    mutate(wanted, { onSuccess: onImported });
  };
  return (
    <>
      <Button onPress={open}>{text('import')}</Button>
      <Dialog
        title={text('import.title')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
        actions={
          <Button kind="primary" isBusy={isPending} isDisabled={json.trim() === ''} onPress={send}>
            {text('import')}
          </Button>
        }
      >
        <EntryForm label={text('import.title')} onSubmit={send}>
          {error && <Failure problem={error} />}
          <FileField label={text('import.file')} accept=".json,application/json" onText={write} />
          <TextAreaField
            label={text('import.json')}
            isCode
            rows={14}
            value={json}
            onChange={write}
            help={text('import.help')}
            {...(fault !== undefined && { error: fault })}
            isRequired
          />
        </EntryForm>
      </Dialog>
    </>
  );
}
