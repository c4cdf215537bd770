import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { checkAt, csvToList, type FormState, rowAt } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { pasteProblemText } from '../paste-problem.js';
import { FormDialog } from './form-dialog.js';

const formText = textOf('form');

interface CsvDialogProps {
  readonly state: FormState;
  readonly id: string;
  readonly text: string;
}

/** Asks whether a pasted CSV text is imported into a list. */
export function CsvDialog({ state, id, text }: CsvDialogProps): ReactNode {
  const controller = useFormController();
  const row = rowAt(state, id);
  if (!row) return null;
  const imported = csvToList(state, row.pointer, text);
  const close = () => controller.showDialog(undefined);
  const add = () => {
    close();
    controller.change(checkAt(imported.state, row.pointer));
    controller.announce(formText('pasted', { count: imported.applied }));
  };
  return (
    <FormDialog
      title={formText('csvTitle')}
      actions={
        <>
          <button type="button" className="gh-button" data-kind="primary" onClick={add}>
            {formText('csvAdd')}
          </button>
          <button type="button" className="gh-button" onClick={close}>
            {formText('cancel')}
          </button>
        </>
      }
    >
      <p dir="auto">{formText('csvQuestion', { count: imported.applied, title: row.title })}</p>
      <p className="gf-quiet">{formText('csvHint')}</p>
      {imported.problems.length > 0 && (
        <ul className="gf-links">
          {imported.problems.map((problem) => (
            <li key={pasteProblemText(problem)} className="gf-error">
              {pasteProblemText(problem)}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}
