import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { errorTextsOf, setErrorText } from '../../design/error-texts.js';
import { setKeyword, setUi } from '../../design/field-edits.js';
import { pathWords, placeOf, uiPointerOf } from '../../design/field-location.js';
import { objectAt, withMember } from '../../design/json-edit.js';
import { containerOf } from '../../design/outline.js';
import { FIELD_TYPES, propertyGroups, type PropertySpec, withType } from '../../design/property-specs.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { StatusLabel } from '../../kit/status.js';
import { CalculationFields } from './calculation-fields.js';
import { ChoicesFields } from './choices-fields.js';
import { ConditionFields } from './condition-fields.js';
import { ColumnsField, GroupField, GroupsFields } from './group-fields.js';
import { NameField } from './name-field.js';
import { focusOutline } from './outline-pane.js';
import { PropertyField } from './property-field.js';
import { jsonText, parsedOr } from './source-pane.js';
import { TranslationFields } from './translation-fields.js';
import type { Design } from './use-design.js';

/** Renders all properties of the selected field; of the form itself if no field is selected. */
export function PropertiesPane({ design }: { readonly design: Design }): ReactNode {
  const { selected, findings } = design;
  const fieldFindings = findings.filter(({ field }) => (field ?? '') === selected && selected !== '');
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    focusOutline();
  };
  return (
    <div onKeyDown={leave}>
      <h2 className="gh-pane-title">
        {selected === '' ? text('formProperties') : <code>{pathWords(selected)}</code>}
      </h2>
      {fieldFindings.map(({ message, kind, pointer }) => (
        <p key={`${pointer} ${message}`} className="gh-pane-finding">
          <StatusLabel status={kind === 'error' ? 'bad' : 'warning'}>{text(kind)}</StatusLabel> {message}
        </p>
      ))}
      <fieldset className="gh-plain-fieldset" disabled={!design.canEdit} aria-label={text('properties')}>
        {selected === '' ? <FormProperties design={design} /> : <FieldProperties design={design} />}
      </fieldset>
    </div>
  );
}

function FormProperties({ design }: { readonly design: Design }): ReactNode {
  const { draft, change } = design;
  const title = typeof draft.schema['title'] === 'string' ? draft.schema['title'] : '';
  const container = containerOf(draft.schema, '') ?? '';
  const setTitle = (next: string) => {
    const schema = withMember(draft.schema, '/title', next === '' ? undefined : next);
    change({ ...draft, schema }, 'title');
  };
  return (
    <div className="gh-stack">
      <TextField
        label={text('name')}
        value={draft.name}
        onChange={(name) => change({ ...draft, name }, 'name')}
        help={text('formNameHelp')}
        isRequired
      />
      <TextAreaField
        label={text('description')}
        rows={3}
        value={draft.description}
        onChange={(description) => change({ ...draft, description }, 'description')}
      />
      <TextField label={text('titleLabel')} value={title} onChange={setTitle} help={text('formTitleHelp')} />
      <ColumnsField design={design} />
      {container === '' && <GroupsFields design={design} of={{ kind: 'pages', container }} />}
      <GroupsFields design={design} of={{ kind: 'sections', container }} />
      <TranslationFields design={design} />
      <p className="gh-quiet">{text('selectHint')}</p>
    </div>
  );
}

function FieldProperties({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const schema = objectAt(draft.schema, selected);
  const location = placeOf(selected);
  const container = containerOf(schema, selected);
  const ui = uiPointerOf(selected);
  const uiSchema = ui === undefined ? {} : objectAt(draft.uiSchema, ui);
  const set = ({ keyword, part }: PropertySpec, value: unknown) => {
    const setProperty = part === 'schema' ? setKeyword : setUi;
    change(setProperty(draft, selected, { keyword, value }), `${selected} ${keyword}`);
  };
  return (
    <div className="gh-stack">
      {location && <NameField design={design} name={location.name} />}
      <TypeField design={design} />
      <GroupField design={design} kind="pages" />
      <GroupField design={design} kind="sections" />
      <ConditionFields design={design} />
      <ChoicesFields design={design} />
      {propertyGroups(schema).map(({ title, specs }) => (
        <div key={title} className="gh-stack gh-property-group" role="group" aria-label={text(title)}>
          <h3>{text(title)}</h3>
          {specs.map((spec) => (
            <PropertyField
              key={spec.keyword}
              spec={spec}
              type={schema['type']}
              value={(spec.part === 'schema' ? schema : uiSchema)[spec.keyword]}
              onChange={(value) => set(spec, value)}
            />
          ))}
        </div>
      ))}
      <CalculationFields design={design} />
      {container !== undefined && <GroupsFields design={design} of={{ kind: 'sections', container }} />}
      <ErrorTextFields design={design} />
      <SchemaField design={design} />
    </div>
  );
}

function TypeField({ design: { draft, selected, change } }: { readonly design: Design }): ReactNode {
  const schema = objectAt(draft.schema, selected);
  const { type } = schema;
  const known = FIELD_TYPES.some((one) => one === type);
  const options = [
    ...(known ? [] : [{ value: '', label: type === undefined ? text('typeAny') : JSON.stringify(type) }]),
    ...FIELD_TYPES.map((value) => ({ value, label: value })),
  ];
  return (
    <SelectField
      label={text('type')}
      value={known ? String(type) : ''}
      options={options}
      onChange={(next) =>
        next !== '' &&
        change({ ...draft, schema: withMember(draft.schema, selected, withType(schema, next)) })
      }
    />
  );
}

/** Renders the complete schema of the selected field as JSON, so that every keyword can be edited. */
function SchemaField({ design: { draft, selected, change } }: { readonly design: Design }): ReactNode {
  const schema = objectAt(draft.schema, selected);
  const [typed, setTyped] = useState<string>();
  const isInvalid = typed !== undefined && parsedOr(typed, undefined) === undefined;
  const write = (next: string) => {
    setTyped(next);
    const value = parsedOr(next, undefined);
    if (value !== undefined)
      change({ ...draft, schema: withMember(draft.schema, selected, value) }, `${selected} as JSON`);
  };
  return (
    <details onToggle={() => setTyped(undefined)}>
      <summary>{text('editAsJson')}</summary>
      <TextAreaField
        label={text('schemaOfField')}
        isCode
        rows={10}
        value={typed ?? jsonText(schema)}
        onChange={write}
        {...(isInvalid && { error: text('enterJson') })}
      />
    </details>
  );
}

/** Renders the texts that the form shows instead of the usual errors of the selected field (`ui:errors`). */
function ErrorTextFields({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const texts = errorTextsOf(draft, selected);
  if (texts.length === 0) return null;
  return (
    <details className="gh-property-group">
      <summary>{text('errorTexts')}</summary>
      <div className="gh-stack" role="group" aria-label={text('errorTexts')}>
        <p className="gh-quiet">{text('errorTextsHelp')}</p>
        {texts.map(({ keyword, text: own }) => (
          <TextField
            key={keyword}
            label={text(`error.${keyword}`)}
            value={own}
            onChange={(next) =>
              change(setErrorText(draft, selected, { keyword, text: next }), `${selected} ${keyword} text`)
            }
          />
        ))}
      </div>
    </details>
  );
}
