import type { ReactNode } from 'react';
import { memberOf, ownerOf } from '../../design/branches.js';
import { type Condition, type ConditionOperator, needsValue, OPERATORS } from '../../design/condition.js';
import { conditionsOf, knownValues, setRequiredWhen, setShownWhen } from '../../design/conditions.js';
import { text } from '../../design/designer-text.js';
import { type Edited, setRequired } from '../../design/field-edits.js';
import { placeOf } from '../../design/field-location.js';
import { objectAt, textsAt } from '../../design/json-edit.js';
import { SelectField, TextField } from '../../kit/fields.js';
import type { Design } from './use-design.js';

/** Renders when the selected field is shown, and when it is required. */
export function ConditionFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change, follow } = design;
  const conditions = conditionsOf(draft, selected);
  const location = placeOf(selected);
  if (!conditions || !location) return null;
  const { shownWhen, requiredWhen, others } = conditions;
  const apply = ({ draft: next, pointer }: Edited, about?: string) => {
    change(next, about);
    follow(pointer);
  };
  const isRequired = textsAt(draft.schema, `${location.container}/required`).includes(location.name);
  const first: Condition | undefined =
    others[0] === undefined ? undefined : { field: others[0], operator: 'isFilled' };
  const chooseRequired = (kind: string) => {
    if (kind === 'when' && first) apply(setRequiredWhen(draft, selected, first));
    else apply(setAlwaysRequired(draft, selected, kind === 'always'));
  };
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('conditions')}>
      <h3>{text('conditions')}</h3>
      <SelectField
        label={text('required')}
        value={requiredWhen ? 'when' : isRequired ? 'always' : 'never'}
        options={[
          { value: 'never', label: text('requiredNever') },
          { value: 'always', label: text('requiredAlways') },
          ...(first ? [{ value: 'when', label: text('requiredWhen') }] : []),
        ]}
        onChange={chooseRequired}
      />
      {requiredWhen && (
        <ConditionEditor
          label={text('requiredWhen')}
          condition={requiredWhen}
          design={design}
          others={others}
          onChange={(next) => apply(setRequiredWhen(draft, selected, next), `${selected} required when`)}
        />
      )}
      <SelectField
        label={text('shown')}
        value={shownWhen ? 'when' : 'always'}
        options={[
          { value: 'always', label: text('shownAlways') },
          ...(first ? [{ value: 'when', label: text('shownWhen') }] : []),
        ]}
        onChange={(kind) => apply(setShownWhen(draft, selected, kind === 'when' ? first : undefined))}
      />
      {shownWhen && (
        <ConditionEditor
          label={text('shownWhen')}
          condition={shownWhen}
          design={design}
          others={others}
          onChange={(next) => apply(setShownWhen(draft, selected, next), `${location.name} shown when`)}
        />
      )}
    </div>
  );
}

function setAlwaysRequired(draft: Design['draft'], pointer: string, isRequired: boolean): Edited {
  const optional = setRequiredWhen(draft, pointer, undefined);
  const location = placeOf(optional.pointer);
  if (!isRequired || !location) return optional;
  return { ...optional, draft: setRequired(optional.draft, optional.pointer, true) };
}

interface ConditionEditorProps {
  readonly label: string;
  readonly condition: Condition;
  readonly design: Design;
  readonly others: readonly string[];
  readonly onChange: (condition: Condition) => void;
}

/** Renders the tested field, the test, and the value that it compares. */
function ConditionEditor(props: ConditionEditorProps): ReactNode {
  const { label, condition, design, others, onChange } = props;
  const { field, operator, value } = condition;
  const fields = others.includes(field) ? others : [field, ...others];
  const changeTest = (next: ConditionOperator) => {
    const [known] = knownValues(design.draft, design.selected, field);
    const compared = value ?? known ?? '';
    onChange({ field, operator: next, ...(needsValue(next) && { value: compared }) });
  };
  return (
    <div className="gh-condition" role="group" aria-label={label}>
      <SelectField
        label={text('conditionField')}
        value={field}
        options={fields.map((name) => ({ value: name, label: name }))}
        onChange={(name) => {
          const [known = ''] = knownValues(design.draft, design.selected, name);
          onChange({ field: name, operator, ...(needsValue(operator) && { value: known }) });
        }}
      />
      <SelectField
        label={text('conditionTest')}
        value={operator}
        options={OPERATORS.map((one) => ({ value: one, label: text(one) }))}
        onChange={(next) => changeTest(next as ConditionOperator)}
      />
      {needsValue(operator) && <ValueField {...props} />}
    </div>
  );
}

function ValueField({ condition, design, onChange }: ConditionEditorProps): ReactNode {
  const { field, value } = condition;
  const known = knownValues(design.draft, design.selected, field);
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  if (known.length > 0 && condition.operator !== 'contains') {
    const options = known.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    const all = options.includes(shown) ? options : [shown, ...options];
    return (
      <SelectField
        label={text('conditionValue')}
        value={shown}
        options={all.map((one) => ({ value: one, label: one }))}
        onChange={(next) => onChange({ ...condition, value: known[options.indexOf(next)] ?? value })}
      />
    );
  }
  return (
    <TextField
      label={text('conditionValue')}
      value={shown}
      onChange={(next) => onChange({ ...condition, value: typedValue(design, field, next) })}
    />
  );
}

/** Returns a typed text as a number if the tested field holds numbers. */
function typedValue({ draft, selected }: Design, field: string, typed: string): unknown {
  const owner = ownerOf(draft.schema, placeOf(selected)?.container ?? '');
  const { type } = objectAt(draft.schema, memberOf(draft.schema, owner, field)?.pointer ?? '/none');
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && typed.trim() !== '' && String(Number(typed)) === typed ? Number(typed) : typed;
}
