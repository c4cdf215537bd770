import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import type { StoredForm } from '../../design/draft.js';
import { writeJson } from '../../form/model/index.js';
import { Button } from '../../kit/button.js';
import { ConfirmButton, Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { Usage } from '../forms/usage.js';
import { FormMenu } from './form-head.js';
import { TaskTrialDialog, useTaskTrial } from './task-trial.js';
import type { TestData } from './test-data-pane.js';

const formsText = textOf('forms');

const FORMS = '/json-forms/forms';

interface LargeFormActionsProps {
  readonly form: StoredForm;
  readonly test: TestData;
}

/** Renders the actions on a form whose schema is not edited. None of them sends the schema. */
export function LargeFormActions({ form, test: { state } }: LargeFormActionsProps): ReactNode {
  const { may } = useSession();
  const [isRenaming, setRenaming] = useState(false);
  const trial = useTaskTrial(() => ({
    method: 'POST',
    path: '/json-forms/task/ShowJsonForm?schema=partial',
    json: writeJson({
      form_id: form.id,
      instance_data: state?.data ?? {},
      title: text('tryTitle', { name: form.name }),
    }),
  }));
  return (
    <>
      {may('showJsonForm') && (
        <Button isBusy={trial.isBusy} onPress={trial.start}>
          {text('try')}
        </Button>
      )}
      {may('updateForm') && <Button onPress={() => setRenaming(true)}>{text('rename')}</Button>}
      {may('deleteForms') && <DeleteButton form={form} />}
      <FormMenu path={pathOf(['json-forms', 'forms', form.id])} />
      <TaskTrialDialog trial={trial} />
      {isRenaming && <RenameDialog form={form} onClose={() => setRenaming(false)} />}
    </>
  );
}

interface RenameDialogProps {
  readonly form: StoredForm;
  readonly onClose: () => void;
}

/** Changes the name and the description of a form. */
function RenameDialog({ form, onClose }: RenameDialogProps): ReactNode {
  const [name, setName] = useState(form.name);
  const [description, setDescription] = useState(form.description ?? '');
  const showToast = useToast();
  const write = useWrite([FORMS]);
  const save = () =>
    write.mutate(
      {
        method: 'PUT',
        path: pathOf(['json-forms', 'forms', form.id]),
        body: { options: { name: name.trim(), description } },
      },
      {
        onSuccess: () => {
          showToast('success', text('savedToast'));
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={text('renameTitle')}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="primary" isBusy={write.isPending} isDisabled={name.trim() === ''} onPress={save}>
          {text('save')}
        </Button>
      }
    >
      <div className="gh-stack">
        {write.error && <Failure problem={write.error} />}
        <TextField label={formsText('name')} value={name} onChange={setName} help={formsText('nameHelp')} />
        <TextField label={formsText('description')} value={description} onChange={setDescription} />
      </div>
    </Dialog>
  );
}

function DeleteButton({ form }: { readonly form: StoredForm }): ReactNode {
  const [, navigate] = useLocation();
  const showToast = useToast();
  const remove = useWrite<{ readonly deleted: number }>([]);
  const confirm = () =>
    remove.mutate(
      { method: 'DELETE', path: FORMS, body: { ids: [form.id] } },
      {
        onSuccess: ({ data }) => {
          showToast('success', formsText('deleted', { count: data.deleted }));
          navigate('/forms');
        },
        onError: (problem) => showToast('danger', problem.message),
      },
    );
  return (
    <ConfirmButton
      verb={formsText('delete')}
      title={formsText('deleteTitle', { count: 1 })}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={confirm}
    >
      <Usage forms={[form]} />
    </ConfirmButton>
  );
}
