import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { isDate, localOffset, zonedText, type ZonedTime, zonedTimeOf } from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { Select } from '../controls.js';
import { formText } from '../form-text.js';
import { describedBy, type Draft, DraftErrors, type EditorProps, isWindowBlur, useDraft } from './draft.js';

/** Returns true if a picker shows the value of a row without loss, or the row has no value. */
export function fitsPicker({ row }: EditorProps): boolean {
  const { editor, text } = row;
  if (editor.kind === 'date') return text === '' || isDate(text);
  if (editor.kind !== 'time' && editor.kind !== 'date-time') return false;
  return text === '' || zonedTimeOf(text)?.clock.includes('T') === (editor.kind === 'date-time');
}

export function DateEditor(props: EditorProps): ReactNode {
  const draft = useDraft(props);
  return (
    <span className="gf-editor gf-picker">
      <Picker {...props} type="date" draft={draft} value={draft.text} write={draft.write} />
      <DraftErrors id={`${props.id}-errors`} errors={draft.errors} />
    </span>
  );
}

/** A picker of the browser for a time with or without a date, and its time zone. */
export function ZonedTimeEditor(props: EditorProps): ReactNode {
  const { row, id } = props;
  const draft = useDraft(props);
  const zoned = zonedTimeOf(draft.text);
  const offset = localOffset(zoned?.clock ?? '', new Date());
  const writeClock = (clock: string) =>
    draft.write(
      clock === '' ? '' : zonedText({ clock, zone: zoned?.zone ?? localOffset(clock, new Date()) }),
    );
  const type = row.editor.kind === 'time' ? 'time' : 'datetime-local';
  return (
    <span className="gf-editor gf-picker">
      <Picker {...props} type={type} draft={draft} value={zoned?.clock ?? ''} write={writeClock} />
      <Select
        aria-label={`${row.title}: ${formText('zone')}`}
        value={zoned?.zone ?? offset}
        disabled={zoned === undefined}
        options={zonesFor(zoned, offset).map((zone) => [
          zone,
          zone === 'Z' ? formText('zoneUtc') : formText('zoneOffset', { offset: zone }),
        ])}
        onPick={(zone) => {
          const text = zonedText({ clock: zoned?.clock ?? '', zone });
          draft.write(text);
          draft.accept(text);
        }}
      />
      <DraftErrors id={`${id}-errors`} errors={draft.errors} />
    </span>
  );
}

/** Returns UTC, the offset of the browser, and that of the value. */
function zonesFor(zoned: ZonedTime | undefined, offset: string): readonly string[] {
  return [...new Set(['Z', offset, zoned?.zone ?? offset])];
}

interface PickerProps extends EditorProps {
  readonly type: 'date' | 'time' | 'datetime-local';
  readonly draft: Draft;
  readonly value: string;
  readonly write: (value: string) => void;
}

/**
 * The input is written only where it shows another value than the form: a picker that is written while the user types
 * loses its cursor.
 */
function Picker({ row, id, notesId, type, draft, value, write }: PickerProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(value);
  latest.current = value;
  const show = () => {
    const { current } = input;
    if (!current) return;
    const isShown = withSeconds(current.value) === withSeconds(latest.current);
    if (!isShown || current.validity.badInput) current.value = latest.current;
  };
  useLayoutEffect(show, [value]);
  return (
    <input
      ref={input}
      id={id}
      type={type}
      className="gh-input gf-input"
      defaultValue={value}
      {...(type !== 'date' && { step: 1 })}
      aria-invalid={draft.errors.length > 0}
      aria-required={row.required}
      aria-describedby={describedBy({ id, notesId })}
      onInput={({ currentTarget }) => {
        // An incomplete date has no value: the value of the form stays until it is complete or cleared.
        if (!currentTarget.validity.badInput) write(currentTarget.value);
      }}
      onFocus={draft.onFocus}
      onBlur={(event) => {
        draft.onBlur(event);
        // An incomplete date does not become the value: the input shows again what the form has.
        if (!isWindowBlur(event)) afterPress(show);
      }}
      onKeyDown={(event) => {
        draft.onKeyDown(event);
        if (event.key === 'Escape') show();
      }}
    />
  );
}

/** Returns a time as the form has it: pickers leave out seconds of zero. */
function withSeconds(clock: string): string {
  return /(?:^|T)\d\d:\d\d$/.test(clock) ? `${clock}:00` : clock;
}
