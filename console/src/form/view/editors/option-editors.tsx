import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { isList, labelOf, type Option, type Row } from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { Select } from '../controls.js';
import { titleOf } from '../fields/field-parts.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { optionLabel } from '../shown-text.js';
import { describedBy, DraftErrors, type EditorProps, isWindowBlur, useInitialFocus } from './draft.js';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly type: 'radio' | 'checkbox';
  readonly checked: boolean;
  readonly note?: string | undefined;
  readonly onPick: () => void;
}

function Choice({ name, label, type, checked, note, onPick }: ChoiceProps): ReactNode {
  return (
    <label className="gf-choice">
      <input type={type} name={name} checked={checked} onChange={onPick} />
      <span>
        {label}
        {note !== undefined && <span className="gf-quiet"> {note}</span>}
      </span>
    </label>
  );
}

/** The alternatives of a choice as radio buttons, with a note at alternatives whose data is stashed. */
export function AlternativesEditor(props: EditorProps): ReactNode {
  const { row } = props;
  const controller = useFormController();
  const { alternatives } = row;
  if (!alternatives) return null;
  const { names, chosen, stashed, mandatory } = alternatives;
  const choose = (alternative: number | undefined) =>
    controller.edit({ kind: 'choose', id: row.id, alternative });
  const choices = names.map((label, index) => ({
    label,
    checked: chosen === index,
    note: stashed.includes(index) ? formText('stashed') : undefined,
    onPick: () => choose(index),
  }));
  const unset = mandatory ? undefined : { checked: chosen === undefined, onPick: () => choose(undefined) };
  return <Radios {...props} choices={choices} unset={unset} />;
}

/** The options of a select as radio buttons. */
export function RadioEditor(props: EditorProps): ReactNode {
  const { row } = props;
  const { options, choose } = useChosen(row);
  const choices = options.map((option) => ({
    label: optionLabel(option),
    checked: row.filled && labelOf(option.value) === row.text,
    note: option.description,
    onPick: () => choose(labelOf(option.value)),
  }));
  const unset = row.required ? undefined : { checked: !row.filled, onPick: () => choose('') };
  return <Radios {...props} choices={choices} unset={unset} />;
}

interface RadiosProps extends EditorProps {
  readonly choices: readonly Pick<ChoiceProps, 'label' | 'checked' | 'note' | 'onPick'>[];
  /** The choice of none, if the field allows it. */
  readonly unset: Pick<ChoiceProps, 'checked' | 'onPick'> | undefined;
}

function Radios({ choices, unset, ...props }: RadiosProps): ReactNode {
  return (
    <ChoiceGroup {...props} role="radiogroup">
      {choices.map((choice, index) => (
        <Choice key={index} type="radio" name={props.id} {...choice} />
      ))}
      {unset && <Choice type="radio" name={props.id} label={formText('unset')} {...unset} />}
    </ChoiceGroup>
  );
}

/** Checkboxes for bits and for leaf-lists with a fixed set of values, which keep the order of the options. */
export function CheckSetEditor(props: EditorProps): ReactNode {
  const { row, id } = props;
  const controller = useFormController();
  const { editor, pointer } = row;
  if (editor.kind !== 'bits' && editor.kind !== 'checkboxes') return null;
  const chosen = new Set(chosenIn(row));
  const toggle = (text: string) => {
    if (!chosen.delete(text)) chosen.add(text);
    const values = editor.options.map(({ value }) => value).filter((value) => chosen.has(labelOf(value)));
    const value = editor.kind === 'bits' ? values.map(labelOf).join(' ') : values;
    controller.edit(values.length === 0 ? { kind: 'clear', pointer } : { kind: 'set', pointer, value });
  };
  return (
    <ChoiceGroup {...props} role="group">
      {editor.options.map(({ value, label, description }) => (
        <Choice
          key={label}
          type="checkbox"
          name={id}
          label={label}
          note={description}
          checked={chosen.has(labelOf(value))}
          onPick={() => toggle(labelOf(value))}
        />
      ))}
    </ChoiceGroup>
  );
}

/** Returns the texts of the selected values in a row of bits or checkboxes. */
function chosenIn({ value }: Row): readonly string[] {
  if (isList(value)) return value.map(labelOf);
  return typeof value === 'string' ? value.split(' ').filter(Boolean) : [];
}

type GroupProps = EditorProps & { readonly role: 'radiogroup' | 'group'; readonly children: ReactNode };

/**
 * A group of choices. In the grid, Escape and Enter return to the row, and Tab leaves after the last choice.
 */
function ChoiceGroup({ row, id, notesId, role, onLeave, children }: GroupProps): ReactNode {
  const group = useRef<HTMLSpanElement>(null);
  const isGrid = onLeave !== undefined;
  useLayoutEffect(() => {
    const inputs = [...(group.current?.querySelectorAll('input') ?? [])];
    if (isGrid) (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus({ preventScroll: true });
    // Only on mount.
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onLeave || (event.key !== 'Escape' && event.key !== 'Enter')) return;
    event.preventDefault();
    onLeave('stay');
  };
  const onBlur = (event: FocusEvent) => {
    if (isWindowBlur(event) || group.current?.contains(event.relatedTarget)) return;
    afterPress(() => onLeave?.('away'));
  };
  return (
    <span className="gf-editor">
      <span
        ref={group}
        id={id}
        className="gf-choices"
        role={role}
        aria-label={titleOf(row)}
        {...(role === 'radiogroup' && {
          'aria-invalid': row.errors.length > 0,
          'aria-required': row.required,
        })}
        aria-describedby={describedBy({ id, notesId })}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        {children}
      </span>
      <DraftErrors id={`${id}-errors`} errors={row.errors} />
    </span>
  );
}

/** Returns the options of a select. A value outside of them is an option too, so that it does not change unnoticed. */
export function selectOptions(
  { filled, text }: Row,
  options: readonly Option[],
  nameOf = optionLabel,
): readonly (readonly [value: string, label: string])[] {
  const isUnlisted = filled && !options.some(({ value }) => labelOf(value) === text);
  return [
    ['', formText('unset')],
    ...(isUnlisted ? [[text, text] as const] : []),
    ...options.map((option) => [labelOf(option.value), nameOf(option)] as const),
  ];
}

export function SelectEditor({ row, id, notesId, onLeave }: EditorProps): ReactNode {
  const control = useInitialFocus<HTMLSelectElement>(onLeave !== undefined, undefined);
  const { options, choose } = useChosen(row);
  return (
    <span className="gf-editor">
      <Select
        ref={control}
        id={id}
        value={row.text}
        {...(onLeave && { 'aria-label': row.title })}
        aria-invalid={row.errors.length > 0}
        aria-required={row.required}
        aria-describedby={describedBy({ id, notesId })}
        options={selectOptions(row, options)}
        onPick={choose}
        onBlur={(event) => {
          if (!isWindowBlur(event)) afterPress(() => onLeave?.('away'));
        }}
        onKeyDown={(event) => {
          const isTab = event.key === 'Tab';
          if (!onLeave || (!isTab && event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          if (isTab) onLeave(event.shiftKey ? 'previous' : 'next');
          else onLeave('stay');
        }}
      />
      <DraftErrors id={`${id}-errors`} errors={row.errors} />
    </span>
  );
}

/**
 * Returns the options of a row, its own and those of its binding, and a function that chooses an option by
 * its text.
 */
function useChosen(row: Row): {
  readonly options: readonly Option[];
  readonly choose: (text: string) => void;
} {
  const controller = useFormController();
  const options = optionsOf(row);
  return {
    options,
    choose: (text) => {
      const option = options.find(({ value }) => labelOf(value) === text);
      if (option) controller.edit({ kind: 'set', pointer: row.pointer, value: option.value });
      else if (text === '') controller.edit({ kind: 'clear', pointer: row.pointer });
    },
  };
}

export function optionsOf({ editor, bound }: Row): readonly Option[] {
  if (bound?.state === 'ready') return bound.options;
  return 'options' in editor ? editor.options : [];
}
