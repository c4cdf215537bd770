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
import { useDesk } from '../form-controller.js';
import { mayEdit } from '../row-actions.js';
import { FormDialog } from './form-dialog.js';
import { ListTable } from './list-table.js';
import { TextOut } from './text-out.js';

/** Number of columns shown at first; the person can choose others. */
const FEW = 8;

/** Shows a list as a table, to edit many entries at once, with import and export as CSV. */
export function TableDialog({ state, row }: { readonly state: FormState; readonly row: Row }): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const all = csvColumns(state, row.pointer);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(firstColumns(all)));
  const [isReading, setReading] = useState(false);
  const columns = all.filter(({ pointer }) => chosen.has(pointer));
  const canEdit = mayEdit(row, desk);
  const text = listToCsv(state, row.pointer, columns);
  const toggle = (pointer: string) => {
    const next = new Set(chosen);
    if (!next.delete(pointer)) next.add(pointer);
    setChosen(next);
  };
  return (
    <FormDialog
      title={labels.tableOf(row.title)}
      isWide
      actions={
        <>
          <TextOut text={text} fileName={`${row.key}.csv`} type="text/csv" />
          {canEdit && (
            <button
              type="button"
              className="gf-button"
              aria-expanded={isReading}
              onClick={() => setReading(!isReading)}
            >
              {labels.fromCsv}
            </button>
          )}
        </>
      }
    >
      <ColumnChooser all={all} chosen={chosen} toggle={toggle} />
      {isReading && <CsvIn pointer={row.pointer} onDone={() => setReading(false)} />}
      <ListTable state={state} row={row} columns={columns} canEdit={canEdit} />
    </FormDialog>
  );
}

function firstColumns(all: readonly CsvColumn[]): readonly string[] {
  const wanted = all.filter((column) => column.chosen);
  return (wanted.length > 0 ? wanted : all).slice(0, FEW).map(({ pointer }) => pointer);
}

interface ColumnChooserProps {
  readonly all: readonly CsvColumn[];
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (pointer: string) => void;
}

function ColumnChooser({ all, chosen, toggle }: ColumnChooserProps): ReactNode {
  const { labels } = useDesk();
  return (
    <details className="gf-columns">
      <summary>
        {labels.columns} ({chosen.size}/{all.length})
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
export function CsvIn({
  pointer,
  onDone,
}: {
  readonly pointer: string;
  readonly onDone: () => void;
}): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<readonly PasteProblem[]>([]);
  const apply = () => {
    const taken = csvToList(desk.now(), pointer, text);
    desk.change(checkAt(taken.state, pointer));
    setProblems(taken.problems);
    if (taken.problems.length === 0) onDone();
  };
  return (
    <div className="gf-csv">
      <textarea
        className="gf-input gf-code"
        rows={6}
        aria-label={labels.fromCsv}
        spellCheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p className="gf-quiet">{labels.csvHint}</p>
      <ul role="status" className="gf-links">
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`} className="gf-error">
            {labels.line(line)}: {message}
          </li>
        ))}
      </ul>
      <button type="button" className="gf-button gf-primary" onClick={apply}>
        {labels.apply}
      </button>
    </div>
  );
}
