import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { bindingPointerOf } from '../../design/field-location.js';
import { objectAt } from '../../design/json-edit.js';
import {
  choicesOf,
  EMPTY_BINDING,
  isComplete,
  type QueryBinding,
  setChoices,
} from '../../design/query-bindings.js';
import { SelectField, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import { ReplyFields } from './reply-fields.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

const SCALARS: readonly unknown[] = ['string', 'integer', 'number'];

/** Renders where the choices of the selected field come from: the field itself, or a query through an adapter. */
export function ChoicesFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  // A query without an adapter or a path is not part of the form yet.
  const [incomplete, setIncomplete] = useState<QueryBinding>();
  const { type } = objectAt(draft.schema, selected);
  if (!SCALARS.includes(type) || bindingPointerOf(selected) === undefined || selected === '') return null;
  const stored = choicesOf(draft, selected);
  const binding = incomplete ?? (typeof stored === 'string' ? undefined : stored);
  const edit = (next: QueryBinding) => {
    setIncomplete(isComplete(next) ? undefined : next);
    if (isComplete(next)) change(setChoices(draft, selected, next), `${selected} choices`);
  };
  const choose = (from: string) => {
    setIncomplete(from === 'query' ? EMPTY_BINDING : undefined);
    if (from === 'fixed' && stored !== 'fixed') change(setChoices(draft, selected, undefined));
  };
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('choices')}>
      <h3>{text('choices')}</h3>
      <SelectField
        label={text('choicesFrom')}
        value={binding ? 'query' : stored === 'other' ? 'other' : 'fixed'}
        options={[
          { value: 'fixed', label: text('choicesFixed') },
          { value: 'query', label: text('choicesQuery') },
          ...(stored === 'other' ? [{ value: 'other', label: text('choicesOther') }] : []),
        ]}
        onChange={choose}
        {...(stored === 'other' && !binding && { help: text('choicesOtherHelp') })}
      />
      {binding && <QueryFields binding={binding} onChange={edit} />}
    </div>
  );
}

interface Adapters {
  readonly results: readonly { readonly name?: string; readonly data?: { readonly name?: string } }[];
}

interface QueryFieldsProps {
  readonly binding: QueryBinding;
  readonly onChange: (binding: QueryBinding) => void;
}

/** Renders the adapter and the path of a query, and the parts of its reply. */
function QueryFields({ binding, onChange }: QueryFieldsProps): ReactNode {
  const mayList = useSession().may('getAdapters');
  const { data } = useRead<Adapters>('/adapters', { enabled: mayList });
  const names = (data?.results ?? []).flatMap((one) => one.data?.name ?? one.name ?? []);
  const { adapter, path } = binding;
  const shown = names.includes(adapter) || adapter === '' ? names : [adapter, ...names];
  const changeAdapter = (name: string) => onChange({ ...binding, adapter: name });
  return (
    <div className="gh-condition" role="group" aria-label={text('choicesQuery')}>
      {!mayList || (data && names.length === 0) ? (
        <TextField label={text('adapter')} value={adapter} onChange={changeAdapter} />
      ) : (
        <SelectField
          label={text('adapter')}
          value={adapter}
          options={[
            { value: '', label: text('adapterNone') },
            ...shown.map((name) => ({ value: name, label: name })),
          ]}
          onChange={changeAdapter}
        />
      )}
      <TextField
        label={text('path')}
        value={path}
        onChange={(next) => onChange({ ...binding, path: next.trim() })}
        help={text('pathHelp')}
      />
      <ReplyFields binding={binding} onChange={onChange} />
    </div>
  );
}
