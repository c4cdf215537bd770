import type { ReactNode } from 'react';
import { ownerOf } from '../../design/branches.js';
import { text } from '../../design/designer-text.js';
import { setUi } from '../../design/field-edits.js';
import { placeOf, uiPointerOf } from '../../design/field-location.js';
import { objectAt } from '../../design/json-edit.js';
import {
  addSection,
  moveSection,
  removeSection,
  type Section,
  sectionsOf,
  setSection,
  setSectionText,
} from '../../design/sections.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextField } from '../../kit/fields.js';
import type { Design } from './use-design.js';

const COLUMNS = ['1', '2', '3', '4'];

/** Renders the number of columns in which the form shows its fields. */
export function ColumnsField({ design: { draft, change } }: { readonly design: Design }): ReactNode {
  const stored = objectAt(draft.uiSchema, '')['ui:columns'];
  return (
    <SelectField
      label={text('columns')}
      value={typeof stored === 'number' ? String(stored) : '1'}
      options={COLUMNS.map((value) => ({ value, label: value }))}
      help={text('columnsHelp')}
      onChange={(value) =>
        change(setUi(draft, '', { keyword: 'ui:columns', value: value === '1' ? undefined : Number(value) }))
      }
    />
  );
}

/** Renders the sections of an object's fields: their headings, their descriptions and their order. */
export function SectionsFields({
  design: { draft, change },
  container,
}: {
  readonly design: Design;
  readonly container: string;
}): ReactNode {
  if (uiPointerOf(container) === undefined) return null;
  const sections = sectionsOf(draft, container);
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('sections')}>
      <h3>{text('sections')}</h3>
      {sections.length === 0 && <p className="gh-quiet">{text('sectionsHelp')}</p>}
      {sections.map((section, index) => (
        <SectionFields
          key={index}
          section={section}
          index={index}
          isLast={index === sections.length - 1}
          onText={(part, next) =>
            change(
              setSectionText(draft, container, { index, part, text: next }),
              `${container} section ${index} ${part}`,
            )
          }
          onMove={(by) => change(moveSection(draft, container, { index, by }))}
          onRemove={() => change(removeSection(draft, container, index))}
        />
      ))}
      <div>
        <Button
          isSmall
          onPress={() =>
            change(addSection(draft, container, text('newSection', { number: sections.length + 1 })))
          }
        >
          {text('addSection')}
        </Button>
      </div>
    </div>
  );
}

interface SectionFieldsProps {
  readonly section: Section;
  readonly index: number;
  readonly isLast: boolean;
  readonly onText: (part: 'title' | 'description', next: string) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function SectionFields(props: SectionFieldsProps): ReactNode {
  const { section, index, isLast, onText, onMove, onRemove } = props;
  const { title, description, fields } = section;
  const number = index + 1;
  return (
    <div className="gh-condition" role="group" aria-label={text('section', { number })}>
      <TextField
        label={text('sectionTitle')}
        value={title}
        onChange={(next) => onText('title', next)}
        help={fields.length === 0 ? text('sectionEmpty') : text('sectionWith', { names: fields.join(', ') })}
      />
      <TextField
        label={text('description')}
        value={description}
        onChange={(next) => onText('description', next)}
      />
      <div className="gh-actions">
        <Button
          kind="plain"
          isSmall
          label={text('sectionUp', { number })}
          isDisabled={index === 0}
          onPress={() => onMove(-1)}
        >
          ↑
        </Button>
        <Button
          kind="plain"
          isSmall
          label={text('sectionDown', { number })}
          isDisabled={isLast}
          onPress={() => onMove(1)}
        >
          ↓
        </Button>
        <Button kind="plain" isSmall label={text('removeSection', { number })} onPress={onRemove}>
          ✕
        </Button>
      </div>
    </div>
  );
}

/** Renders the section of the selected field; nothing if its object has no sections. */
export function SectionField({
  design: { draft, selected, change },
}: {
  readonly design: Design;
}): ReactNode {
  const location = placeOf(selected);
  if (!location) return null;
  const { name } = location;
  const owner = ownerOf(draft.schema, location.container);
  const sections = sectionsOf(draft, owner);
  if (sections.length === 0) return null;
  const current = sections.findIndex(({ fields }) => fields.includes(name));
  return (
    <SelectField
      label={text('sectionOfField')}
      value={String(current)}
      options={[
        { value: '-1', label: text('sectionNone') },
        ...sections.map(({ title }, at) => ({
          value: String(at),
          label: title === '' ? text('section', { number: at + 1 }) : title,
        })),
      ]}
      onChange={(value) =>
        change(setSection(draft, owner, { name, index: value === '-1' ? undefined : Number(value) }))
      }
    />
  );
}
