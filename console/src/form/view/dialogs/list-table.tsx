import { type ReactNode, useState } from 'react';
import { type CsvColumn, type FormState, type Row, rowAt, valueFromText } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { Icon } from '../icon.js';
import { mayEdit } from '../row-actions.js';

/** Entries on a page: with eight columns, the page stays responsive. */
const PAGE = 20;

export interface ListTableProps {
  readonly state: FormState;
  /** Row of the list. */
  readonly row: Row;
  readonly columns: readonly CsvColumn[];
  readonly canEdit: boolean;
}

/** Table with entries as rows and their leaves as editable cells. */
export function ListTable({ state, row, columns, canEdit }: ListTableProps): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const [page, setPage] = useState(0);
  const length = row.list?.length ?? 0;
  const from = Math.min(page, Math.floor(Math.max(length - 1, 0) / PAGE)) * PAGE;
  const indexes = Array.from({ length: Math.min(PAGE, length - from) }, (_, at) => from + at);
  return (
    <>
      <table className="gf-table">
        <thead>
          <tr>
            {columns.map(({ pointer, title }) => (
              <th key={pointer} scope="col">
                {title}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <TableRow
              key={index}
              state={state}
              columns={columns}
              index={index}
              pointer={`${row.pointer}/${index}`}
            />
          ))}
        </tbody>
      </table>
      <p className="gf-line">
        {length > PAGE && (
          <>
            <button
              type="button"
              className="gf-button"
              disabled={from === 0}
              onClick={() => setPage(from / PAGE - 1)}
            >
              {labels.previousPage}
            </button>
            <span>{labels.pageOf(from + 1, Math.min(from + PAGE, length), length)}</span>
            <button
              type="button"
              className="gf-button"
              disabled={from + PAGE >= length}
              onClick={() => setPage(from / PAGE + 1)}
            >
              {labels.nextPage}
            </button>
          </>
        )}
        {canEdit && row.list?.canAdd === true && (
          <button
            type="button"
            className="gf-button"
            onClick={() => {
              desk.edit({ kind: 'add', pointer: row.pointer });
              setPage(Math.floor(length / PAGE));
            }}
          >
            {labels.add}
          </button>
        )}
      </p>
    </>
  );
}

interface TableRowProps extends Pick<ListTableProps, 'state' | 'columns'> {
  readonly index: number;
  readonly pointer: string;
}

function TableRow({ state, columns, index, pointer }: TableRowProps): ReactNode {
  const desk = useDesk();
  const entry = rowAt(state, pointer);
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.pointer}>
          <Cell row={rowAt(state, pointer + column.pointer)} label={`${column.title} ${index + 1}`} />
        </td>
      ))}
      <td>
        {entry?.removable === true && mayEdit(entry, desk) && (
          <button
            type="button"
            className="gf-tool"
            aria-label={`${desk.labels.remove} ${entry.title}`}
            onClick={() => desk.edit({ kind: 'remove', pointer })}
          >
            <Icon name="remove" />
          </button>
        )}
      </td>
    </tr>
  );
}

function Cell({ row, label }: { readonly row: Row | undefined; readonly label: string }): ReactNode {
  const desk = useDesk();
  if (!row) return null;
  const { pointer, text, editor, errors } = row;
  const take = (written: string) => {
    if (written === text) return;
    const value = valueFromText(desk.now(), pointer, written);
    desk.edit(value === undefined ? { kind: 'clear', pointer } : { kind: 'set', pointer, value });
  };
  return (
    <input
      // A new value from elsewhere (undo, CSV) creates a new control.
      key={text}
      className="gf-input"
      type={editor.kind === 'text' && editor.secret ? 'password' : 'text'}
      aria-label={label}
      aria-invalid={errors.length > 0}
      title={errors[0]?.message}
      autoComplete="off"
      spellCheck={false}
      defaultValue={text}
      readOnly={!mayEdit(row, desk)}
      onBlur={(event) => take(event.currentTarget.value)}
    />
  );
}
