import type { ReactNode } from 'react';
import { ownerOf } from '../../design/branches.js';
import { text } from '../../design/designer-text.js';
import { setUi } from '../../design/field-edits.js';
import {
  addGroup,
  type FieldGroup,
  type GroupList,
  groupsOf,
  moveGroup,
  removeGroup,
  setGroup,
  setGroupText,
} from '../../design/field-groups.js';
import { placeOf, uiPointerOf } from '../../design/field-location.js';
import { type GroupKind, shownNames } from '../../design/field-order.js';
import { objectAt } from '../../design/json-edit.js';
import { Button } from '../../kit/button.js';
import { CheckField, SelectField, TextField } from '../../kit/fields.js';
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

interface GroupsProps {
  readonly design: Design;
  readonly of: GroupList;
}

/** Renders the sections of an object's fields, or the pages of a form: their order, headings, descriptions and fields. */
export function GroupsFields({ design, of }: GroupsProps): ReactNode {
  const { draft, change } = design;
  const { kind, container } = of;
  if (uiPointerOf(container) === undefined) return null;
  const groups = groupsOf(draft, of);
  return (
    <div className="gh-stack gh-property-group" role="group" aria-label={text('groups', { kind })}>
      <h3>{text('groups', { kind })}</h3>
      {groups.length === 0 && <p className="gh-quiet">{text('groupsHelp', { kind })}</p>}
      {groups.map((group, index) => (
        <GroupFields
          key={index}
          design={design}
          of={of}
          group={group}
          index={index}
          isLast={index === groups.length - 1}
        />
      ))}
      <div>
        <Button
          isSmall
          onPress={() => change(addGroup(draft, of, text('group', { kind, number: groups.length + 1 })))}
        >
          {text('addGroup', { kind })}
        </Button>
      </div>
    </div>
  );
}

interface GroupProps extends GroupsProps {
  readonly group: FieldGroup;
  readonly index: number;
  readonly isLast: boolean;
}

function GroupFields({ design: { draft, change }, of, group, index, isLast }: GroupProps): ReactNode {
  const { title, description, fields } = group;
  const named = { kind: of.kind, number: index + 1 };
  const names = shownNames(draft, of.container);
  const write = (part: 'title' | 'description') => (next: string) =>
    change(
      setGroupText(draft, of, { index, part, text: next }),
      `${of.container} ${of.kind} ${index} ${part}`,
    );
  const move = (by: -1 | 1) => () => change(moveGroup(draft, of, { index, by }));
  const remove = () => change(removeGroup(draft, of, index));
  const actions = [
    { sign: '↑', label: text('groupUp', named), isDisabled: index === 0, onPress: move(-1) },
    { sign: '↓', label: text('groupDown', named), isDisabled: isLast, onPress: move(1) },
    { sign: '✕', label: text('removeGroup', named), isDisabled: false, onPress: remove },
  ];
  return (
    <div className="gh-condition" role="group" aria-label={text('group', named)}>
      <TextField label={text('groupTitle')} value={title} onChange={write('title')} />
      <TextField label={text('description')} value={description} onChange={write('description')} />
      <details>
        <summary>{text('groupFields', { count: fields.length, names: fields.join(', ') })}</summary>
        {names.map((name) => (
          <CheckField
            key={name}
            label={name}
            isChecked={fields.includes(name)}
            onChange={(isIn) => change(setGroup(draft, of, { name, index: isIn ? index : undefined }))}
          />
        ))}
      </details>
      <div className="gh-actions">
        {actions.map(({ sign, label, isDisabled, onPress }) => (
          <Button key={sign} kind="plain" isSmall label={label} isDisabled={isDisabled} onPress={onPress}>
            {sign}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface GroupFieldProps {
  readonly design: Design;
  readonly kind: GroupKind;
}

/** Renders the section or the page of the selected field; nothing if its object has none. */
export function GroupField({ design: { draft, selected, change }, kind }: GroupFieldProps): ReactNode {
  const location = placeOf(selected);
  if (!location) return null;
  const { name } = location;
  const of = { kind, container: ownerOf(draft.schema, location.container) };
  const groups = groupsOf(draft, of);
  if (groups.length === 0 || (kind === 'pages' && of.container !== '')) return null;
  return (
    <SelectField
      label={text('groupOfField', { kind })}
      value={String(groups.findIndex(({ fields }) => fields.includes(name)))}
      options={[
        { value: '-1', label: text('groupNone', { kind }) },
        ...groups.map(({ title }, at) => ({
          value: String(at),
          label: title === '' ? text('group', { kind, number: at + 1 }) : title,
        })),
      ]}
      onChange={(value) =>
        change(setGroup(draft, of, { name, index: value === '-1' ? undefined : Number(value) }))
      }
    />
  );
}
