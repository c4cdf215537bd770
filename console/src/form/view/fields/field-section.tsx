import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { withOpen, type Row } from '../../model/index.js';
import { editModeOf } from '../edit-mode.js';
import { RowEditor } from '../editors/editor.js';
import { SwitchEditor } from '../editors/switch-editor.js';
import { useFormController } from '../form-controller.js';
import { Icon } from '../icon.js';
import { mayEdit } from '../row-actions.js';
import { FieldActions, TextAction } from './field-actions.js';
import { FieldErrors, FieldNotes } from './field-notes.js';
import { titleOf } from './field-title.js';
import { FieldMarks, type FieldProps } from './field.js';

const formText = textOf('form');

type SectionProps = FieldProps & { readonly children: ReactNode };

/** A container with its members: a heading that opens and closes it, and the choice of an alternative. */
export function FieldSection({ row, index, id, children }: SectionProps): ReactNode {
  const controller = useFormController();
  const canEdit = mayEdit(row, controller);
  const isPresence = row.kind === 'presence';
  // The editor of the alternatives shows the errors itself.
  const hasAlternativesEditor = canEdit && editModeOf(row) === 'choose';
  return (
    <fieldset
      id={id}
      data-row={index}
      className={`gf-section${row.changed ? ' gf-changed' : ''}`}
      tabIndex={-1}
    >
      <legend>
        <SectionHead row={row} />
      </legend>
      <FieldNotes row={row} id={`${id}-notes`} />
      {isPresence && (
        <SwitchEditor row={row} id={`${id}-editor`} isGrid={false} isNamed isDisabled={!canEdit} />
      )}
      {editModeOf(row) === 'choose' && <Alternatives row={row} id={`${id}-editor`} canEdit={canEdit} />}
      {!hasAlternativesEditor && <FieldErrors row={row} id={`${id}-errors`} />}
      {row.open && row.leftOut.length > 0 && <p className="gf-quiet">{formText('partLoading')}</p>}
      {children}
      <TextAction row={row} name="member" />
    </fieldset>
  );
}

/** The heading of a container or a list. `count`: the number of entries in words. */
export function SectionHead({ row, count }: { readonly row: Row; readonly count?: string }): ReactNode {
  return (
    <span className="gf-section-head">
      <Twisty row={row} />
      <span dir="auto">{titleOf(row)}</span>
      {row.required && (
        <span className="gf-required" aria-hidden="true">
          *
        </span>
      )}
      {count !== undefined && <span className="gf-count">{count}</span>}
      <FieldMarks row={row} />
      <FieldActions row={row} />
    </span>
  );
}

function Alternatives({
  row,
  id,
  canEdit,
}: {
  readonly row: Row;
  readonly id: string;
  readonly canEdit: boolean;
}): ReactNode {
  if (canEdit) return <RowEditor row={row} id={id} />;
  const { alternatives } = row;
  const name = alternatives?.names[alternatives.chosen ?? -1];
  return (
    <p className="gf-output" dir="auto">
      {name ?? formText('notSet')}
    </p>
  );
}

/** A button that opens or closes a section. */
export function Twisty({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  if (!row.expandable) return null;
  return (
    <button
      type="button"
      className="gf-tool"
      aria-expanded={row.open}
      aria-label={titleOf(row)}
      onClick={() => controller.change(withOpen(controller.now(), row.id, !row.open))}
    >
      <span className="gf-twisty" data-toggle={row.open ? 'open' : 'closed'}>
        <Icon name="open" />
      </span>
    </button>
  );
}
