import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { membersOf, ownerOf } from '../../design/branches.js';
import { renameField, setKeyword, setUi, titleOf } from '../../design/field-edits.js';
import { pathWords, placeOf, uiPointerOf } from '../../design/field-location.js';
import { objectAt, withMember } from '../../design/json-edit.js';
import { FIELD_TYPES, propertyGroups, type PropertySpec, withType } from '../../design/property-specs.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { StatusLabel } from '../../kit/status.js';
import { ChoicesFields } from './choices-fields.js';
import { ConditionFields } from './condition-fields.js';
import { jsonText, parsedOr } from './use-json-text.js';
import { PropertyField } from './property-field.js';
import type { Design } from './use-design.js';

/** Renders all properties of the selected field; of the form itself if no field is selected. */
export function PropertiesPane({ design }: { readonly design: Design }): ReactNode {
  const { selected, findings } = design;
  const fieldFindings = findings.filter(({ field }) => (field ?? '') === selected && selected !== '');
  return (
    <>
      <h2 className="gh-pane-title">{selected === '' ? 'The form' : pathWords(selected)}</h2>
      {fieldFindings.map(({ message, kind, pointer }) => (
        <p key={`${pointer} ${message}`} className="gh-pane-finding">
          <StatusLabel status={kind === 'error' ? 'bad' : 'warning'}>{kind}</StatusLabel> {message}
        </p>
      ))}
      <fieldset className="gh-plain-fieldset" disabled={!design.canEdit} aria-label="Properties">
        {selected === '' ? <FormProperties design={design} /> : <FieldProperties design={design} />}
      </fieldset>
    </>
  );
}

function FormProperties({ design: { draft, change } }: { readonly design: Design }): ReactNode {
  const title = typeof draft.schema['title'] === 'string' ? draft.schema['title'] : '';
  return (
    <div className="gh-stack">
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ ...draft, name }, 'name')}
        help="Must be unique. Automations refer to the form by its name; update them after you rename the form."
        isRequired
      />
      <TextAreaField
        label="Description"
        rows={3}
        value={draft.description}
        onChange={(description) => change({ ...draft, description }, 'description')}
      />
      <TextField
        label="Title"
        value={title}
        onChange={(text) =>
          change(
            { ...draft, schema: withMember(draft.schema, '/title', text === '' ? undefined : text) },
            'title',
          )
        }
        help="Shown above the form."
      />
      <p className="gh-quiet">Select a field in the outline to edit its properties.</p>
    </div>
  );
}

function FieldProperties({ design }: { readonly design: Design }): ReactNode {
  const { draft, selected, change } = design;
  const schema = objectAt(draft.schema, selected);
  const location = placeOf(selected);
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
      <ConditionFields design={design} />
      {propertyGroups(schema).map(({ title, specs }) => (
        <div key={title} className="gh-stack gh-property-group" role="group" aria-label={title}>
          <h3>{title}</h3>
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
      <ChoicesFields design={design} />
      <SchemaField design={design} />
    </div>
  );
}

/**
 * Renders the field for a name. The name is applied when the field loses the focus, because a half-typed name
 * may equal the name of another field.
 */
function NameField({ design, name }: { readonly design: Design; readonly name: string }): ReactNode {
  const { draft, selected, change, follow, nameFocus } = design;
  const [text, setText] = useState(name);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!nameFocus.current) return;
    nameFocus.current = false;
    const input = area.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, [nameFocus]);
  const location = placeOf(selected);
  const owner = ownerOf(draft.schema, location?.container ?? '');
  const taken = membersOf(draft.schema, owner).map((member) => member.name);
  const fault = text === '' ? 'Enter a name.' : 'Name already used.';
  const isInvalid = text !== name && (text === '' || taken.includes(text));
  const write = (next: string) => {
    setText(next);
    // A title that was derived from the name follows the name while it is typed.
    if (objectAt(draft.schema, selected)['title'] !== titleOf(text)) return;
    change(setKeyword(draft, selected, { keyword: 'title', value: titleOf(next) }), `${selected} name`);
  };
  const rename = () => {
    if (isInvalid || text === name) return;
    const { draft: renamed, pointer } = renameField(draft, selected, text);
    change(renamed, `${selected} name`);
    follow(pointer);
  };
  const toOutline = ({ key }: KeyboardEvent) => {
    if (key !== 'Enter' || isInvalid) return;
    rename();
    window.requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('.gh-outline [tabindex="0"]')?.focus(),
    );
  };
  return (
    <div ref={area} onBlur={rename} onKeyDown={toOutline}>
      <TextField
        label="Name"
        value={text}
        onChange={write}
        help="Key in the JSON data"
        {...(isInvalid && { error: fault })}
      />
    </div>
  );
}

function TypeField({ design: { draft, selected, change } }: { readonly design: Design }): ReactNode {
  const schema = objectAt(draft.schema, selected);
  const { type } = schema;
  const known = FIELD_TYPES.some((one) => one === type);
  const options = [
    ...(known ? [] : [{ value: '', label: type === undefined ? 'any' : JSON.stringify(type) }]),
    ...FIELD_TYPES.map((value) => ({ value, label: value })),
  ];
  return (
    <SelectField
      label="Type"
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
  const [text, setText] = useState<string>();
  const isInvalid = text !== undefined && parsedOr(text, undefined) === undefined;
  const write = (next: string) => {
    setText(next);
    const value = parsedOr(next, undefined);
    if (value !== undefined)
      change({ ...draft, schema: withMember(draft.schema, selected, value) }, `${selected} as JSON`);
  };
  return (
    <details onToggle={() => setText(undefined)}>
      <summary>Edit as JSON</summary>
      <TextAreaField
        label="Schema of the field"
        isCode
        rows={10}
        value={text ?? jsonText(schema)}
        onChange={write}
        {...(isInvalid && { error: 'The text is not valid JSON.' })}
      />
    </details>
  );
}
