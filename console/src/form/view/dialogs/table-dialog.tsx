import { type ReactNode, useState } from 'react';
import {
  checkAt,
  type CsvColumn,
  csvColumns,
  csvToList,
  type FormState,
  listToCsv,
  type PasteProblem,
  type Row,
} from '../../model/index.js';
import { Button } from '../controls.js';
import { pasteProblemText } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog, TextOutput } from './form-dialog.js';
import { ListTable } from './list-table.js';

/** Maximum number of columns that are shown by default. */
const DEFAULT_COLUMNS = 8;

/** Shows a list as a table, to edit many entries at once, with import and export as CSV. */
export function TableDialog({ state, row }: TableDialogProps): ReactNode {
  const controller = useFormController();
  const all = csvColumns(state, row.pointer);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(defaultColumns(all)));
  const [isImporting, setImporting] = useState(false);
  const columns = all.filter(({ pointer }) => chosen.has(pointer));
  const canEdit = mayEdit(row, controller);
  const text = listToCsv(state, row.pointer, columns);
  const toggle = (pointer: string) => {
    const next = new Set(chosen);
    if (!next.delete(pointer)) next.add(pointer);
    setChosen(next);
  };
  return (
    <FormDialog
      title={formText('tableOf', { title: row.title })}
      isWide
      actions={
        <>
          <TextOutput text={text} fileName={`${row.key}.csv`} type="text/csv" />
          {canEdit && (
            <Button aria-expanded={isImporting} onClick={() => setImporting(!isImporting)}>
              {formText('fromCsv')}
            </Button>
          )}
        </>
      }
    >
      <details className="gf-columns">
        <summary>
          {formText('columns')} ({chosen.size}/{all.length})
        </summary>
        <div className="gf-choices">
          {all.map(({ pointer, title }) => (
            <label key={pointer} className="gf-choice">
              <input type="checkbox" checked={chosen.has(pointer)} onChange={() => toggle(pointer)} />
              <span>{title}</span>
            </label>
          ))}
        </div>
      </details>
      {isImporting && <CsvImport pointer={row.pointer} onDone={() => setImporting(false)} />}
      <ListTable state={state} row={row} columns={columns} canEdit={canEdit} />
    </FormDialog>
  );
}

function defaultColumns(all: readonly CsvColumn[]): readonly string[] {
  const wanted = all.filter((column) => column.chosen);
  return (wanted.length > 0 ? wanted : all).slice(0, DEFAULT_COLUMNS).map(({ pointer }) => pointer);
}

function Problems({ problems }: { readonly problems: readonly PasteProblem[] }): ReactNode {
  return (
    <ul role="status" className="gf-links">
      {problems.map((problem) => (
        <li key={pasteProblemText(problem)} className="gf-error">
          {pasteProblemText(problem)}
        </li>
      ))}
    </ul>
  );
}

interface CsvImportProps {
  readonly pointer: string;
  readonly onDone: () => void;
}

/** Imports CSV into a list, for example from a spreadsheet. */
function CsvImport({ pointer, onDone }: CsvImportProps): ReactNode {
  const controller = useFormController();
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<readonly PasteProblem[]>([]);
  const apply = () => {
    const imported = csvToList(controller.now(), pointer, text);
    controller.change(checkAt(imported.state, pointer));
    setProblems(imported.problems);
    if (imported.problems.length === 0) onDone();
  };
  return (
    <div className="gf-csv">
      <textarea
        className="gh-input gf-input gf-code"
        rows={6}
        aria-label={formText('fromCsv')}
        spellCheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p className="gf-quiet">{formText('csvHint')}</p>
      <Problems problems={problems} />
      <Button kind="primary" onClick={apply}>
        {formText('apply')}
      </Button>
    </div>
  );
}

interface TableDialogProps {
  readonly state: FormState;
  readonly row: Row;
}

/** Asks whether a pasted CSV text is imported into a list. */
export function CsvDialog({ state, row, text }: TableDialogProps & { readonly text: string }): ReactNode {
  const controller = useFormController();
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
          <Button kind="primary" onClick={add}>
            {formText('csvAdd')}
          </Button>
          <Button onClick={close}>{formText('cancel')}</Button>
        </>
      }
    >
      <p dir="auto">{formText('csvQuestion', { count: imported.applied, title: row.title })}</p>
      <p className="gf-quiet">{formText('csvHint')}</p>
      <Problems problems={imported.problems} />
    </FormDialog>
  );
}
