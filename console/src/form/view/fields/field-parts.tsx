import type { ReactNode } from 'react';
import { withCode } from '../../../text/inline-code.js';
import { type Json, labelOf, type Row } from '../../model/index.js';
import { boundNotes } from '../binding-loader.js';
import { Button, Icon, IconButton } from '../controls.js';
import { errorTexts } from '../error-text.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { actionsOf, editModeOf, iconOf, type ActionName } from '../row-actions.js';
import { brief } from '../shown-text.js';

/** Actions that are icons beside a label. Lists and containers show the others as buttons with a text. */
const ICON_ACTIONS: ReadonlySet<ActionName> = new Set(['revert', 'duplicate', 'up', 'down', 'remove']);

/** Buttons of a row in fixed places, so that no button moves when another one appears. */
export function FieldActions({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const actions = actionsOf(row, controller).filter(
    ({ name }) => ICON_ACTIONS.has(name) || (name === 'json' && row.kind === 'json'),
  );
  if (actions.length === 0) return null;
  return (
    <span className="gf-field-actions">
      {actions.map((action) => (
        <IconButton
          key={action.name}
          icon={iconOf(action)}
          data-action={action.name}
          title={action.label}
          label={`${action.label}: ${titleOf(row)}`}
          onClick={() => action.run(controller)}
        />
      ))}
    </span>
  );
}

export function TextAction({ row, name }: { readonly row: Row; readonly name: ActionName }): ReactNode {
  const controller = useFormController();
  const action = actionsOf(row, controller).find((each) => each.name === name);
  if (!action) return null;
  return (
    <Button
      data-action={name}
      {...(name !== 'add' && { 'aria-label': `${action.label}: ${titleOf(row)}` })}
      onClick={() => action.run(controller)}
    >
      <Icon name={iconOf(action)} /> <span dir="auto">{action.label}</span>
    </Button>
  );
}

interface NotesProps {
  readonly row: Row;
  readonly id: string;
}

/** Errors of a row whose editor does not show them. */
export function FieldErrors({ row, id }: NotesProps): ReactNode {
  const controller = useFormController();
  return (
    <div id={id}>
      {errorTexts(controller.now(), row.errors).map((message) => (
        <p key={message} className="gf-error gf-field-error" dir="auto">
          <Icon name="error" /> {message}
        </p>
      ))}
    </div>
  );
}

/** Returns true for a row with help below its control. */
export function hasNotes(row: Row): boolean {
  return notesOf(row).length > 0 || row.unknown;
}

/** Help below a control: condition, description, help, default. */
export function FieldNotes({ row, id }: NotesProps): ReactNode {
  if (!hasNotes(row)) return null;
  return (
    <div id={id} className="gf-notes">
      {notesOf(row).map((note) => (
        <p key={note} className="gf-description" dir="auto">
          {withCode(brief(note))}
        </p>
      ))}
      {row.unknown && <p className="gf-warning">{formText('unknown')}</p>}
    </div>
  );
}

function notesOf(row: Row): readonly string[] {
  const condition = row.disabled ? row.when.find(({ holds }) => holds === false) : undefined;
  const { description, help, defaultValue } = row;
  // Also beside a value: the field keeps its height when it is filled in.
  const needsDefault = defaultValue !== undefined && !isNothing(defaultValue) && editModeOf(row) !== 'switch';
  return [
    ...(condition ? [formText('onlyWhen', { condition: condition.message ?? condition.xpath })] : []),
    ...(description === undefined ? [] : [description]),
    ...(help === undefined ? [] : [help]),
    ...boundNotes(row),
    ...(row.calculated ? [formText('calculated')] : []),
    ...(row.list?.maximum === undefined ? [] : [formText('errorMaxItems', { limit: row.list.maximum })]),
    ...(needsDefault ? [formText('defaultOf', { value: labelOf(defaultValue) })] : []),
  ];
}

/** Returns true for a default that says no more than an empty field. */
function isNothing(value: Json): boolean {
  return value === null || value === '' || ['[]', '{}'].includes(labelOf(value));
}

/** Returns the title of a row as an ordinary form shows it: entries without brackets. */
export function titleOf(row: Row): string {
  if (row.isPossible) return formText('newEntry');
  if (row.title === '' && row.alternatives) return formText('alternatives');
  return row.kind === 'entry' ? row.title.replace(/^\[(.*)\]$/, '$1') : row.title;
}
