import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { errorGroups, type FormState, rowIdOf } from '../../model/index.js';
import { errorText } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

const formText = textOf('form');

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
  return (
    pointer.slice(container.length).replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~') || '/'
  );
}
