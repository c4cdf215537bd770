import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { type FormState, type Row, rowAt } from '../../model/index.js';
import { type DialogKind, useFormController } from '../form-controller.js';
import { ChangesDialog } from './changes-dialog.js';
import { CsvDialog } from './csv-dialog.js';
import { ErrorsDialog } from './errors-dialog.js';
import { ExportDialog } from './export-dialog.js';
import { FormDialog } from './form-dialog.js';
import { JsonDialog } from './json-dialog.js';
import { MemberDialog } from './member-dialog.js';
import { TableDialog } from './table-dialog.js';

const formText = textOf('form');

interface FormDialogsProps {
  readonly state: FormState;
  readonly dialog: DialogKind;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}

/** The open dialog of the form. */
export function FormDialogs({ state, dialog, onSubmit }: FormDialogsProps): ReactNode {
  switch (dialog.kind) {
    case 'changes':
      return <ChangesDialog state={state} onSubmit={onSubmit} />;
    case 'errors':
      return <ErrorsDialog state={state} />;
    case 'export':
      return <ExportDialog state={state} />;
    case 'csv':
      return <CsvDialog state={state} id={dialog.id} text={dialog.text} />;
    case 'keys':
      return <KeysDialog />;
    default:
      return <RowDialog state={state} kind={dialog.kind} id={dialog.id} />;
  }
}

interface RowDialogProps {
  readonly state: FormState;
  readonly kind: 'json' | 'table' | 'member' | 'pick';
  readonly id: string;
}

function RowDialog({ state, kind, id }: RowDialogProps): ReactNode {
  const row = rowAt(state, id);
  if (!row) return null;
  if (kind === 'json') return <JsonDialog row={row} />;
  if (kind === 'pick') return <PickDialog row={row} />;
  return kind === 'table' ? <TableDialog state={state} row={row} /> : <MemberDialog row={row} />;
}

/** Dialog of the page around the form that chooses the value of a row. */
function PickDialog({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const { picker } = controller;
  if (!picker) return null;
  const choose = (value: string) => {
    controller.edit({ kind: 'set', pointer: row.pointer, value });
    controller.showDialog(undefined);
  };
  return (
    <FormDialog title={`${picker.title}: ${row.title}`} isWide>
      {picker.render(choose)}
    </FormDialog>
  );
}

const SHORTCUTS = [
  ['↑ ↓', 'keyRows'],
  ['→ ←', 'keySides'],
  ['Home End', 'keyEnds'],
  ['Ctrl+Home Ctrl+End', 'keyAllEnds'],
  ['PageUp PageDown', 'keyPages'],
  ['Enter F2', 'keyEdit'],
  ['Space', 'keySpace'],
  ['Esc', 'keyEscape'],
  ['Tab', 'keyTab'],
  ['a…z', 'keyLetters'],
  ['Delete', 'keyDelete'],
  ['Insert', 'keyInsert'],
  ['Alt+↑ Alt+↓', 'keyMove'],
  ['n p', 'keyErrors'],
  ['/', 'keySearch'],
  ['j', 'keyJson'],
  ['Ctrl+Z Ctrl+Y', 'keyUndo'],
  ['Ctrl+C', 'keyCopy'],
  ['Ctrl+V', 'keyPaste'],
  ['Ctrl+S', 'keySubmit'],
  ['?', 'keyHelp'],
] as const;

/** Dialog that lists the keyboard shortcuts. */
function KeysDialog(): ReactNode {
  return (
    <FormDialog title={formText('keys')}>
      <dl className="gf-keys">
        {SHORTCUTS.map(([keys, description]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{formText(description)}</dd>
          </div>
        ))}
      </dl>
    </FormDialog>
  );
}
