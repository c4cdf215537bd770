import { type SyntheticEvent, type ReactNode, useId, useState } from 'react';
import { textOf } from '../../../text/text.js';
import { type Row, rowAt } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { FormDialog } from './form-dialog.js';

const formText = textOf('form');

/** Dialog that adds a member whose name is not in the schema. */
export function MemberDialog({ row }: { readonly row: Row }): ReactNode {
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
    const memberId = `${row.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
