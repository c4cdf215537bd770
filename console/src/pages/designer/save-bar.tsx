import { type ReactNode, useState } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { useOperation } from '../../api/use-operation.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import { changedMembers, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
import { useDuplicate } from '../forms/use-duplicate.js';
import { FormMenu } from './form-head.js';
import { draftTask, TaskTrialDialog, useTaskTrial } from './task-trial.js';
import type { Design } from './use-design.js';

/** State of saving a form: running, failed, or blocked by changes of another user. */
export interface Saving {
  readonly start: () => void;
  readonly isBusy: boolean;
  readonly problem: ApiProblem | undefined;
  /** The newer version that another user has saved. */
  readonly conflict: StoredForm | undefined;
  /** Overwrites the version of the other user. */
  readonly force: () => void;
  readonly dismiss: () => void;
}

/** Sends the changed members of a form. Checks first whether another user has saved the form. */
export function useSave({ form, saved, draft, settle }: Design): Saving {
  const path = pathOf(['json-forms', 'forms', form.id]);
  const showToast = useToast();
  const write = useWrite(['/json-forms/forms']);
  const { isBusy, problem, clearProblem, run } = useOperation();
  const [conflict, setConflict] = useState<StoredForm>();
  const read = async () => (await request<StoredForm>({ path })).data;
  const send = async (isForced: boolean) => {
    setConflict(undefined);
    const stored = await read();
    if (!isForced && stored.lastUpdated !== form.lastUpdated) {
      setConflict(stored);
      return;
    }
    await write.mutateAsync({ method: 'PUT', path, body: { options: changedMembers(saved, draft) } });
    settle(await read(), draft);
    showToast('success', text('savedToast'));
  };
  const dismiss = () => {
    clearProblem();
    setConflict(undefined);
  };
  const start = () => void run(() => send(false));
  const force = () => void run(() => send(true));
  return { start, force, dismiss, isBusy, problem, conflict };
}

/** Renders actions on the form as a whole, in one row; those that are used less are in a menu. */
export function SaveBar({ design, save }: { readonly design: Design; readonly save: Saving }): ReactNode {
  const { isChanged, canEdit, history, undo, redo, saved, draft } = design;
  const [isShowingChanges, setShowingChanges] = useState(false);
  const closeChanges = () => setShowingChanges(false);
  const trial = useTaskTrial(() => draftTask(draft));
  const mayTry = useSession().may('renderJsonSchema');
  return (
    <>
      {canEdit && (
        <>
          <Button isDisabled={history.past.length === 0} onPress={undo}>
            {text('undo')}
          </Button>
          <Button isDisabled={history.future.length === 0} onPress={redo}>
            {text('redo')}
          </Button>
          <Button isDisabled={!isChanged} onPress={() => setShowingChanges(true)}>
            {text('changes')}
          </Button>
        </>
      )}
      {mayTry && (
        <Button isBusy={trial.isBusy} onPress={trial.start}>
          {text('try')}
        </Button>
      )}
      {canEdit && (
        <Button kind="primary" isDisabled={!isChanged} isBusy={save.isBusy} onPress={save.start}>
          {text('save')}
        </Button>
      )}
      <DesignMenu design={design} />
      <Dialog title={text('unsavedChanges')} isOpen={isShowingChanges} isWide onClose={closeChanges}>
        <DiffView before={saved} after={draft} labels={[text('onServer'), text('unsavedLabel')]} />
      </Dialog>
      <Dialog title={text('notSaved')} isOpen={save.problem !== undefined} onClose={save.dismiss}>
        {save.problem && <Failure problem={save.problem} />}
      </Dialog>
      <TaskTrialDialog trial={trial} />
      <Conflict design={design} save={save} />
    </>
  );
}

/** Renders the menu of the form, in which its present state can be duplicated. */
function DesignMenu({ design: { form, draft, isChanged } }: { readonly design: Design }): ReactNode {
  const { duplicate } = useDuplicate();
  const mayImport = useSession().may('importForms');
  const path = pathOf(['json-forms', 'forms', form.id]);
  // Without changes, the text of the server is copied, so that no number loses a digit.
  const read = async () => (isChanged ? JSON.stringify(draft) : (await request({ path })).text);
  const actions = mayImport
    ? [{ key: 'duplicate', title: text('duplicateForm'), onPress: () => duplicate(read) }]
    : [];
  return <FormMenu path={path} actions={actions} />;
}

function Conflict({ design, save }: { readonly design: Design; readonly save: Saving }): ReactNode {
  const { conflict, dismiss, force } = save;
  const acceptConflict = () => {
    if (conflict) design.rebase(conflict);
    dismiss();
  };
  return (
    <Dialog
      title={text('conflict')}
      isOpen={conflict !== undefined}
      isWide
      onClose={dismiss}
      actions={
        <>
          <Button kind="danger" onPress={force}>
            {text('overwrite')}
          </Button>
          <Button onPress={acceptConflict}>{text('loadTheirs')}</Button>
        </>
      }
    >
      {conflict && (
        <div className="gh-stack">
          <p>
            {text(lastEditorOf(conflict) === '' ? 'conflictHelp' : 'conflictBy', {
              name: lastEditorOf(conflict),
            })}
          </p>
          <DiffView
            before={comparedMembers(conflict)}
            after={comparedMembers(design.draft)}
            labels={[text('theirs'), text('mine')]}
          />
        </div>
      )}
    </Dialog>
  );
}

function comparedMembers({ name, schema, uiSchema, bindingSchema, validationSchema }: Partial<StoredForm>) {
  return { name, schema, uiSchema, bindingSchema, validationSchema };
}
