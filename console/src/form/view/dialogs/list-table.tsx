import { type ReactNode, useState } from 'react';
import {
  type CsvColumn,
  type FormState,
  isSecretEditor,
  labelOf,
  type Option,
  type Row,
  rowAt,
  valueFromText,
} from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { Button, IconButton, Select } from '../controls.js';
import { selectOptions } from '../editors/option-editors.js';
import { errorText } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { mayEdit } from '../row-actions.js';

/** Number of entries on a page; with eight columns, the dialog stays responsive. */
const PAGE_SIZE = 20;

interface ListTableProps {
  readonly state: FormState;
  readonly row: Row;
  readonly columns: readonly CsvColumn[];
  readonly canEdit: boolean;
}

/** Table with entries as rows and their leaves as editable cells. */
export function ListTable({ state, row, columns, canEdit }: ListTableProps): ReactNode {
  const controller = useFormController();
  const [page, setPage] = useState(0);
  const length = row.list?.length ?? 0;
  const from = Math.min(page, Math.floor(Math.max(length - 1, 0) / PAGE_SIZE)) * PAGE_SIZE;
  const indexes = Array.from({ length: Math.min(PAGE_SIZE, length - from) }, (_, at) => from + at);
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
        {length > PAGE_SIZE && (
          <>
            <Button disabled={from === 0} onClick={() => setPage(from / PAGE_SIZE - 1)}>
              {formText('previousPage')}
            </Button>
            <span>
              {formText('pageOf', { from: from + 1, to: Math.min(from + PAGE_SIZE, length), all: length })}
            </span>
            <Button disabled={from + PAGE_SIZE >= length} onClick={() => setPage(from / PAGE_SIZE + 1)}>
              {formText('nextPage')}
            </Button>
          </>
        )}
        {canEdit && row.list?.canAdd === true && (
          <Button
            onClick={() => {
              controller.edit({ kind: 'add', pointer: row.pointer });
              setPage(Math.floor(length / PAGE_SIZE));
            }}
          >
            {formText('add')}
          </Button>
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
  const controller = useFormController();
  const entry = rowAt(state, pointer);
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.pointer}>
          <Cell row={rowAt(state, pointer + column.pointer)} label={`${column.title} ${index + 1}`} />
        </td>
      ))}
      <td>
        {entry?.removable === true && mayEdit(entry, controller) && (
          <IconButton
            icon="remove"
            label={`${formText('remove')} ${entry.title}`}
            onClick={() => controller.edit({ kind: 'remove', pointer })}
          />
        )}
      </td>
    </tr>
  );
}

/** Options of a select with one value; a longer list is typed, with a check. */
const MAX_SELECT_OPTIONS = 200;

/** Returns the options of a cell that allows nothing else; undefined for any other cell. */
function closedOptions({ editor }: Row): readonly Option[] | undefined {
  if (editor.kind === 'checkbox') return [true, false].map((value) => ({ value, label: labelOf(value) }));
  const isClosed =
    editor.kind === 'select' ||
    (editor.kind === 'combobox' && (editor.source === 'enum' || editor.source === 'identityref'));
  return isClosed && editor.options.length <= MAX_SELECT_OPTIONS ? editor.options : undefined;
}

function Cell({ row, label }: { readonly row: Row | undefined; readonly label: string }): ReactNode {
  const controller = useFormController();
  if (!row) return null;
  const { pointer, text, editor, errors } = row;
  const accept = (written: string) => {
    if (written === text) return;
    const value = valueFromText(controller.now(), pointer, written);
    controller.edit(value === undefined ? { kind: 'clear', pointer } : { kind: 'set', pointer, value });
  };
  const shared = {
    'aria-label': label,
    'aria-invalid': errors.length > 0,
    title: errors[0] && errorText(controller.now(), errors[0]),
  };
  const options = closedOptions(row);
  if (options && mayEdit(row, controller))
    return (
      <Select
        {...shared}
        value={text}
        options={selectOptions(row, options, ({ label: name }) => name)}
        onPick={accept}
      />
    );
  return (
    <input
      // A value that changes outside of the cell (undo, CSV import) creates a new control.
      key={text}
      className="gh-input gf-input"
      type={isSecretEditor(editor) ? 'password' : 'text'}
      {...shared}
      autoComplete="off"
      spellCheck={false}
      defaultValue={text}
      readOnly={!mayEdit(row, controller)}
      onBlur={({ currentTarget: { value } }) => afterPress(() => accept(value))}
    />
  );
}
