import { type ReactNode, useState } from 'react';
import { bindingPointerOf } from '../../design/field-location.js';
import { objectAt } from '../../design/json-edit.js';
import {
  choicesOf,
  EMPTY_BINDING,
  isComplete,
  type QueryBinding,
  setChoices,
} from '../../design/query-bindings.js';
import { SelectField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import { FixedChoicesFields } from './fixed-choices-fields.js';
import { QueryFields } from './query-fields.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

const SCALARS: readonly unknown[] = ['string', 'integer', 'number'];

/** Renders where the choices of the selected field come from: a fixed list, or a query through an adapter. */
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
      <SourceField
        source={binding ? 'query' : stored === 'other' ? 'other' : 'fixed'}
        isOther={stored === 'other'}
        onChange={choose}
      />
      {binding && <QueryFields design={design} binding={binding} onChange={edit} />}
      {!binding && stored === 'fixed' && <FixedChoicesFields design={design} />}
    </div>
  );
}

interface SourceFieldProps {
  readonly source: 'fixed' | 'query' | 'other';
  /** True if the field has a binding that the designer does not edit. */
  readonly isOther: boolean;
  readonly onChange: (source: string) => void;
}

function SourceField({ source, isOther, onChange }: SourceFieldProps): ReactNode {
  return (
    <SelectField
      label={text('choicesFrom')}
      value={source}
      options={[
        { value: 'fixed', label: text('choicesFixed') },
        { value: 'query', label: text('choicesQuery') },
        ...(isOther ? [{ value: 'other', label: text('choicesOther') }] : []),
      ]}
      onChange={onChange}
      {...(source === 'other' && { help: text('choicesOtherHelp') })}
    />
  );
}
