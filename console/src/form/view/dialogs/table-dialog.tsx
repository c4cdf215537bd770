import { type ReactNode, useState } from 'react';
import { textOf } from '../../../text/text.js';
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
import { useFormController } from '../form-controller.js';
import { pasteProblemText } from '../paste-problem.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog } from './form-dialog.js';
import { ListTable } from './list-table.js';
import { TextOutput } from './text-output.js';

const formText = textOf('form');

/** Maximum number of columns that are shown by default. */
const DEFAULT_COLUMNS = 8;

/** Shows a list as a table, to edit many entries at once, with import and export as CSV. */
export function TableDialog({ state, row }: { readonly state: FormState; readonly row: Row }): ReactNode {
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
            <button
              type="button"
              className="gh-button"
              aria-expanded={isImporting}
              onClick={() => setImporting(!isImporting)}
            >
              {formText('fromCsv')}
            </button>
          )}
        </>
      }
    >
      <ColumnChooser all={all} chosen={chosen} toggle={toggle} />
      {isImporting && <CsvImport pointer={row.pointer} onDone={() => setImporting(false)} />}
      <ListTable state={state} row={row} columns={columns} canEdit={canEdit} />
    </FormDialog>
  );
}

function defaultColumns(all: readonly CsvColumn[]): readonly string[] {
  const wanted = all.filter((column) => column.chosen);
  return (wanted.length > 0 ? wanted : all).slice(0, DEFAULT_COLUMNS).map(({ pointer }) => pointer);
}

interface ColumnChooserProps {
  readonly all: readonly CsvColumn[];
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (pointer: string) => void;
}

function ColumnChooser({ all, chosen, toggle }: ColumnChooserProps): ReactNode {
  return (
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
  );
}

/** Imports CSV into a list, for example from a spreadsheet. */
function CsvImport({
  pointer,
  onDone,
}: {
  readonly pointer: string;
  readonly onDone: () => void;
}): ReactNode {
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
      <ul role="status" className="gf-links">
        {problems.map((problem) => (
          <li key={pasteProblemText(problem)} className="gf-error">
            {pasteProblemText(problem)}
          </li>
        ))}
      </ul>
      <button type="button" className="gh-button" data-kind="primary" onClick={apply}>
        {formText('apply')}
      </button>
    </div>
  );
}
