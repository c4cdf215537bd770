import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { pointerTo } from '../../../../../src/json/pointer.js';
import { type FormState, type Row, rowAt } from '../../model/index.js';
import { type DialogKind, useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { FormDialog } from './form-dialog.js';
import { ChangesDialog, ErrorsDialog } from './review-dialogs.js';
import { CsvDialog, TableDialog } from './table-dialog.js';
import { ExportDialog, JsonDialog } from './text-dialogs.js';

interface FormDialogsProps {
  readonly state: FormState;
  readonly dialog: DialogKind;
  readonly onSubmit: ((state: FormState) => void) | undefined;
}

export function FormDialogs({ dialog, ...props }: FormDialogsProps): ReactNode {
  if (!('id' in dialog)) {
    const Shown = DIALOGS[dialog.kind];
    return <Shown {...props} />;
  }
  const row = rowAt(props.state, dialog.id);
  if (!row) return null;
  if (dialog.kind === 'csv') return <CsvDialog state={props.state} row={row} text={dialog.text} />;
  const Shown = ROW_DIALOGS[dialog.kind];
  return <Shown state={props.state} row={row} />;
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

/** Dialog that adds a member whose name is not in the schema. */
function MemberDialog({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const id = useId();
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    const before = controller.now();
    controller.edit({ kind: 'member', pointer: row.pointer, name });
    if (controller.now() === before) {
      setFault(formText('memberRefused'));
      return;
    }
    const memberId = pointerTo(row.pointer, name);
    controller.showDialog(undefined);
    controller.goTo({ id: rowAt(controller.now(), memberId) ? memberId : row.id, stop: 0 });
  };
  const names = row.addable?.names ?? [];
  const patterns = row.addable?.any === true ? '' : (row.addable?.patterns.join(', ') ?? '');
  return (
    <FormDialog title={formText('addMember')}>
      <form className="gf-line" onSubmit={add}>
        <label htmlFor={id}>{formText('memberName')}</label>
        <input
          id={id}
          className="gh-input gf-input"
          autoComplete="off"
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-help`}
          {...(names.length > 0 && { list: `${id}-names` })}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {names.length > 0 && (
          <datalist id={`${id}-names`}>
            {names.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
        <button type="submit" className="gh-button" data-kind="primary">
          {formText('add')}
        </button>
      </form>
      <p id={`${id}-help`} className={fault === '' ? 'gf-quiet' : 'gf-error'} role="status">
        {fault === '' ? patterns !== '' && formText('memberRule', { patterns }) : fault}
      </p>
    </FormDialog>
  );
}

const DIALOGS = { changes: ChangesDialog, errors: ErrorsDialog, export: ExportDialog, keys: KeysDialog };

const ROW_DIALOGS = { table: TableDialog, json: JsonDialog, member: MemberDialog, pick: PickDialog };
