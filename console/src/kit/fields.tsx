import { type ChangeEvent, type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { withCode } from '../text/inline-code.js';
import { formatSize } from '../text/locale.js';
import '../style/file-field.css';
import { text } from './kit-text.js';
import { fromLocalTime, toLocalTime } from './local-time.js';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The text that explains the field. */
  readonly help?: string;
  /** The reason why the value is invalid. */
  readonly error?: string;
  readonly isRequired?: boolean;
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'url' | 'number';
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** True gives the field the focus when it appears. */
  readonly hasFocus?: boolean;
  /** Values that the browser offers while the user types; any other value may be typed. */
  readonly suggestions?: readonly string[];
}

export function TextField(props: TextFieldProps): ReactNode {
  const { type = 'text', autoComplete, placeholder, hasFocus = false, suggestions, ...field } = props;
  return (
    <Field {...field}>
      {(id) => (
        <>
          <input
            {...controlOf(id, field)}
            ref={hasFocus ? focusOnce : undefined}
            type={type}
            required={field.isRequired}
            autoComplete={autoComplete}
            placeholder={placeholder}
            list={suggestions && `${id}-suggestions`}
          />
          {suggestions && (
            <datalist id={`${id}-suggestions`}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** Renders several lines of text; `isCode` uses a monospace font. */
export function TextAreaField({
  rows = 6,
  isCode = false,
  ...field
}: FieldProps & { readonly rows?: number; readonly isCode?: boolean }): ReactNode {
  return (
    <Field {...field}>
      {(id) => <textarea {...controlOf(id, field)} data-code={isCode} rows={rows} spellCheck={!isCode} />}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField({ options, ...field }: SelectFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(id) => (
        <select {...controlOf(id, field)}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function controlOf(id: string, { value, error, onChange }: FieldProps) {
  return {
    id,
    className: 'gh-input',
    value,
    'aria-invalid': error !== undefined,
    'aria-describedby': `${id}-help`,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
}

/** Gives an element the focus when it appears. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}

/** Renders a label, its control, and a help or error text. */
function Field({
  label,
  help,
  error,
  isRequired = false,
  children,
}: Omit<FieldProps, 'onChange' | 'value'> & { readonly children: (id: string) => ReactNode }): ReactNode {
  const id = useId();
  return (
    <div className="gh-field">
      <label htmlFor={id}>
        {label}
        {isRequired && (
          <span className="gh-required" aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {children(id)}
      <p id={`${id}-help`} className={error === undefined ? 'gh-quiet' : 'gh-field-error'}>
        {error ?? (help !== undefined && withCode(help))}
      </p>
    </div>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  /** Effect of checking the box. */
  readonly help?: string;
}

export function CheckField({ label, isChecked, onChange, help }: CheckFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="gh-check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {help !== undefined && (
        <p id={`${id}-help`} className="gh-quiet">
          {withCode(help)}
        </p>
      )}
    </div>
  );
}

interface RowCheckProps {
  /** Accessible name: "Select port". Not visible, because the row shows the same name. */
  readonly label: string;
  readonly isChecked: boolean;
  /** `isRange` is true if the Shift key is down: all rows since the previous change are meant. */
  readonly onChange: (isChecked: boolean, isRange: boolean) => void;
}

/** Renders a checkbox that selects a row of a list. */
export function RowCheck({ label, isChecked, onChange }: RowCheckProps): ReactNode {
  return (
    <label className="gh-row-check">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        // A `change` event does not tell whether Shift is down.
        onClick={({ currentTarget, shiftKey }) => onChange(currentTarget.checked, shiftKey)}
        onChange={() => undefined}
      />
    </label>
  );
}

interface TimeFieldProps {
  readonly label: string;
  /** RFC 3339; empty if there is no time. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Renders an input for a time, shown in the reader's time zone and stored in UTC. */
export function TimeField({ label, value, onChange }: TimeFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="gh-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="gh-input"
        type="datetime-local"
        step={1}
        value={toLocalTime(value)}
        onChange={({ currentTarget }) => onChange(fromLocalTime(currentTarget.value))}
      />
    </div>
  );
}

interface FileFieldProps {
  readonly label: string;
  /** File types, as in HTML: ".json". */
  readonly accept: string;
  /** Called with the content and the name of the file. */
  readonly onText: (text: string, name: string) => void;
  /** Maximum size of the file, in bytes; the server's default limit if left out. */
  readonly maxBytes?: number;
}

/** Default limit of the server for request bodies, in bytes. */
const DEFAULT_MAX_BYTES = 1_048_576;

/** Reads a file that the reader chooses, as text. Nothing is sent. */
export function FileField({
  label,
  accept,
  onText,
  maxBytes = DEFAULT_MAX_BYTES,
}: FileFieldProps): ReactNode {
  const id = useId();
  const [fault, setFault] = useState('');
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const isTooLarge = file.size > maxBytes;
    setFault(isTooLarge ? text('fileTooLarge', { name: file.name, size: formatSize(maxBytes) }) : '');
    if (!isTooLarge) onText(await file.text(), file.name);
    // Allows choosing the same file again.
    target.value = '';
  };
  return (
    <div className="gh-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="gh-file" type="file" accept={accept} onChange={(event) => void read(event)} />
      <span role="alert">{fault}</span>
    </div>
  );
}

interface EntryFormProps {
  /** Purpose of the form: "Search the trail". */
  readonly label: string;
  readonly onSubmit: () => void;
  /** Id of the form, for a submit button outside of it. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** Renders fields that are submitted together, with a button or Enter. */
export function EntryForm({ label, onSubmit, id, children }: EntryFormProps): ReactNode {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="gh-stack" aria-label={label} onSubmit={submit} noValidate id={id}>
      {children}
    </form>
  );
}
