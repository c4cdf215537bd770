import { type ReactNode, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { changedMembers, lastEditorOf, type StoredForm } from '../../design/draft.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure } from '../../kit/feedback.js';
import { useToast } from '../../kit/toasts.js';
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
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const [conflict, setConflict] = useState<StoredForm>();
  const read = async () => (await request<StoredForm>({ path })).data;
  const send = async (isForced: boolean) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    setConflict(undefined);
    try {
      const stored = await read();
      if (!isForced && stored.lastUpdated !== form.lastUpdated) {
        setConflict(stored);
      } else {
        await write.mutateAsync({ method: 'PUT', path, body: { options: changedMembers(saved, draft) } });
        settle(await read(), draft);
        showToast('success', 'Saved');
      }
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  const dismiss = () => {
    setProblem(undefined);
    setConflict(undefined);
  };
  return { start: () => void send(false), force: () => void send(true), dismiss, isBusy, problem, conflict };
}

/** Renders actions on the form as a whole. */
export function SaveBar({ design, save }: { readonly design: Design; readonly save: Saving }): ReactNode {
  const { isChanged, canEdit, history, undo, redo, saved, draft, form } = design;
  const [isShowingChanges, setShowingChanges] = useState(false);
  const closeChanges = () => setShowingChanges(false);
  if (!canEdit) return <CopyAsCurl wanted={{ path: pathOf(['json-forms', 'forms', form.id]) }} />;
  return (
    <>
      <Button isDisabled={history.past.length === 0} onPress={undo}>
        Undo
      </Button>
      <Button isDisabled={history.future.length === 0} onPress={redo}>
        Redo
      </Button>
      <Button isDisabled={!isChanged} onPress={() => setShowingChanges(true)}>
        Changes
      </Button>
      <Button kind="primary" isDisabled={!isChanged} isBusy={save.isBusy} onPress={save.start}>
        Save
      </Button>
      <CopyAsCurl wanted={{ path: pathOf(['json-forms', 'forms', form.id]) }} />
      <Dialog title="Unsaved changes" isOpen={isShowingChanges} isWide onClose={closeChanges}>
        <DiffView before={saved} after={draft} labels={['On the server', 'Unsaved']} />
      </Dialog>
      <Dialog title="The form was not saved" isOpen={save.problem !== undefined} onClose={save.dismiss}>
        {save.problem && <Failure problem={save.problem} />}
      </Dialog>
      <Conflict design={design} save={save} />
    </>
  );
}

function Conflict({ design, save }: { readonly design: Design; readonly save: Saving }): ReactNode {
  const { conflict, dismiss, force } = save;
  const acceptConflict = () => {
    if (conflict) design.rebase(conflict);
    dismiss();
  };
  return (
    <Dialog
      title="Another user saved this form"
      isOpen={conflict !== undefined}
      isWide
      onClose={dismiss}
      actions={
        <>
          <Button kind="danger" onPress={force}>
            Overwrite with my version
          </Button>
          <Button onPress={acceptConflict}>Discard my changes and load theirs</Button>
        </>
      }
    >
      {conflict && (
        <div className="gh-stack">
          <p>
            {lastEditorOf(conflict)} saved this form after you opened it. Replaced versions stay available on
            the tab Versions.
          </p>
          <DiffView
            before={comparedMembers(conflict)}
            after={comparedMembers(design.draft)}
            labels={['Theirs', 'Mine']}
          />
        </div>
      )}
    </Dialog>
  );
}

function comparedMembers({ name, schema, uiSchema, bindingSchema, validationSchema }: Partial<StoredForm>) {
  return { name, schema, uiSchema, bindingSchema, validationSchema };
}
