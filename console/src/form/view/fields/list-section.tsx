import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { FieldActions, TextAction } from './field-actions.js';
import { FieldErrors, FieldNotes } from './field-notes.js';
import { SectionHead, Twisty } from './field-section.js';
import { titleOf } from './field-title.js';
import { FieldMarks, type FieldProps } from './field.js';

const formText = textOf('form');

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

/** An entry of a list as a card. */
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
