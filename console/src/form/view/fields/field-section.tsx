import type { ReactNode } from 'react';
import { type Row, withOpen } from '../../model/index.js';
import { Icon } from '../controls.js';
import { RowEditor, SwitchEditor } from '../editors/editor.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { editModeOf, mayEdit } from '../row-actions.js';
import { FieldActions, FieldErrors, FieldNotes, TextAction, titleOf } from './field-parts.js';
import { FieldMarks, type FieldProps } from './field.js';

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
function SectionHead({ row, count }: { readonly row: Row; readonly count?: string }): ReactNode {
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
function Twisty({ row }: { readonly row: Row }): ReactNode {
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

type ListProps = FieldProps & { readonly children: ReactNode };

/** A list: its heading, its entries, and buttons to add an entry or to edit all entries in a table. */
export function ListSection({ row, index, id, children }: ListProps): ReactNode {
  const length = row.list?.length ?? 0;
  const isLeafList = row.kind === 'leaf-list';
  return (
    <fieldset
      id={id}
      data-row={index}
      className={`gf-section gf-list${row.changed ? ' gf-changed' : ''}`}
      tabIndex={-1}
    >
      <legend>
        <SectionHead row={row} count={formText(isLeafList ? 'values' : 'entries', { count: length })} />
      </legend>
      <FieldNotes row={row} id={`${id}-notes`} />
      <FieldErrors row={row} id={`${id}-errors`} />
      {(length > 0 || row.list?.isTuple === true) && children}
      <span className="gf-line">
        <TextAction row={row} name="add" />
        {length > 0 && <TextAction row={row} name="table" />}
      </span>
    </fieldset>
  );
}

export function EntryCard({ row, index, id, children }: ListProps): ReactNode {
  return (
    <fieldset id={id} data-row={index} className={`gf-card${row.changed ? ' gf-changed' : ''}`} tabIndex={-1}>
      <legend className="gf-heard">{titleOf(row)}</legend>
      <div className="gf-section-head">
        <Twisty row={row} />
        <span className="gf-card-title" dir="auto" aria-hidden="true">
          {titleOf(row)}
        </span>
        <FieldMarks row={row} />
        {row.errorsBelow > 0 && !row.open && (
          <span className="gf-mark gf-error">{formText('errors', { count: row.errorsBelow })}</span>
        )}
        <FieldActions row={row} />
      </div>
      <FieldErrors row={row} id={`${id}-errors`} />
      {children}
    </fieldset>
  );
}
