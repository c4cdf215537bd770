import type { ReactNode } from 'react';
import { pointerTokens } from '../../../../../src/json/pointer.js';
import {
  applyEdit,
  changesOf,
  errorGroups,
  type FormState,
  revertChange,
  rowIdOf,
} from '../../model/index.js';
import { FirstChanges } from '../change-list.js';
import { Button } from '../controls.js';
import { errorText } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { FormDialog } from './form-dialog.js';

interface ReviewProps {
  readonly state: FormState;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}

/** Dialog with all differences from the loaded document, to review or revert them before sending. */
export function ChangesDialog({ state, onSubmit }: ReviewProps): ReactNode {
  const controller = useFormController();
  const { canEdit } = controller;
  const changes = changesOf(state);
  const send = () => {
    controller.showDialog(undefined);
    onSubmit?.(controller.now());
  };
  return (
    <FormDialog
      title={formText('changes', { count: changes.length })}
      isWide
      actions={
        <>
          {onSubmit && (
            <Button kind="primary" onClick={send}>
              {formText('submit')}
            </Button>
          )}
          {canEdit && changes.length > 0 && (
            <Button
              onClick={() => controller.change(applyEdit(controller.now(), { kind: 'revert', pointer: '' }))}
            >
              {formText('revertAll')}
            </Button>
          )}
        </>
      }
    >
      <FirstChanges
        state={state}
        base={state.loaded}
        changes={changes}
        revert={canEdit ? (change) => controller.change(revertChange(controller.now(), change)) : undefined}
      />
    </FormDialog>
  );
}

/** Dialog with all errors, grouped by container; each error links to its row. */
export function ErrorsDialog({ state }: { readonly state: FormState }): ReactNode {
  const controller = useFormController();
  const go = (pointer: string) => {
    const id = rowIdOf(controller.now(), pointer);
    controller.showDialog(undefined);
    if (id !== undefined) controller.goTo({ id, stop: 0 });
  };
  return (
    <FormDialog title={formText('errors', { count: state.errors.length })}>
      <p>{formText('invalid')}</p>
      {errorGroups(state).map(({ pointer, title, errors }) => (
        <section key={pointer}>
          <h3>
            {title === '' ? formText('form') : title}{' '}
            <span className="gf-type">{formText('errors', { count: errors.length })}</span>
          </h3>
          <ul className="gf-links">
            {errors.map((error) => (
              <li key={`${error.pointer} ${error.message}`}>
                <button type="button" className="gf-link" onClick={() => go(error.pointer)}>
                  {nameIn(error.pointer, pointer)}
                </button>{' '}
                <span className="gf-error" dir="auto">
                  {errorText(state, error)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </FormDialog>
  );
}

/** Returns the location of an error relative to its container. */
function nameIn(pointer: string, container: string): string {
  return pointerTokens(pointer.slice(container.length)).join('/') || '/';
}
