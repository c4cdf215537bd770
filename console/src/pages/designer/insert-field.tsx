import { type ReactNode, type SyntheticEvent, useRef } from 'react';
import { text } from '../../design/designer-text.js';
import { SelectField } from '../../kit/fields.js';

interface InsertFieldProps {
  readonly label: string;
  /** The first line of the selection, which inserts nothing. */
  readonly hint: string;
  readonly help?: string;
  readonly fields: readonly {
    readonly title: string;
    /** Name of the field in the text. */
    readonly placeholder: string;
    /** What is inserted. */
    readonly inserted: string;
  }[];
  /** The edited text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The input of the text. */
  readonly children: ReactNode;
}

/** Renders an input of a text, and a selection that inserts a field at its cursor. */
export function InsertField(props: InsertFieldProps): ReactNode {
  const { label, hint, help, fields, value, onChange, children } = props;
  const caret = useRef<number>(undefined);
  const trackCaret = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      caret.current = target.selectionStart ?? undefined;
  };
  const insert = (inserted: string) => {
    const at = Math.min(caret.current ?? value.length, value.length);
    caret.current = undefined;
    onChange(value.slice(0, at) + inserted + value.slice(at));
  };
  return (
    <>
      <div onKeyUp={trackCaret} onPointerUp={trackCaret} onBlur={trackCaret}>
        {children}
      </div>
      {fields.length > 0 && (
        <SelectField
          label={label}
          value=""
          options={[
            { value: '', label: hint },
            ...fields.map(({ title, placeholder, inserted }) => ({
              value: inserted,
              label: text('namedField', { title, placeholder }),
            })),
          ]}
          onChange={(inserted) => inserted !== '' && insert(inserted)}
          {...(help !== undefined && { help })}
        />
      )}
    </>
  );
}
