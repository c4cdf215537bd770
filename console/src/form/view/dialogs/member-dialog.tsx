import { type SyntheticEvent, type ReactNode, useId, useState } from 'react';
import { type Row, rowAt } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

/** Asks for the name of a member that the schema does not name. */
export function MemberDialog({ row }: { readonly row: Row }): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const id = useId();
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    const before = desk.now();
    desk.edit({ kind: 'member', pointer: row.pointer, name });
    if (desk.now() === before) {
      setFault(labels.memberRefused);
      return;
    }
    const made = `${row.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    desk.show(undefined);
    desk.goTo({ id: rowAt(desk.now(), made) ? made : row.id, stop: 0 });
  };
  const patterns = row.addable?.any === true ? '' : (row.addable?.patterns.join(', ') ?? '');
  return (
    <FormDialog title={labels.addMember}>
      <form className="gf-line" onSubmit={add}>
        <label htmlFor={id}>{labels.memberName}</label>
        <input
          id={id}
          className="gf-input"
          autoComplete="off"
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-help`}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" className="gf-button gf-primary">
          {labels.add}
        </button>
      </form>
      <p id={`${id}-help`} className={fault === '' ? 'gf-quiet' : 'gf-error'} role="status">
        {fault === '' ? patterns !== '' && labels.memberRule(patterns) : fault}
      </p>
    </FormDialog>
  );
}
