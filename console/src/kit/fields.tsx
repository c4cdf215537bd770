import { Checkbox } from '@patternfly/react-core/dist/esm/components/Checkbox';
import { Form, FormGroup, FormHelperText } from '@patternfly/react-core/dist/esm/components/Form';
import { FormSelect, FormSelectOption } from '@patternfly/react-core/dist/esm/components/FormSelect';
import { HelperText, HelperTextItem } from '@patternfly/react-core/dist/esm/components/HelperText';
import { TextArea } from '@patternfly/react-core/dist/esm/components/TextArea';
import { TextInput } from '@patternfly/react-core/dist/esm/components/TextInput';
import { type ChangeEvent, type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { textOf } from '../text/text.js';
import { fromLocalTime, toLocalTime } from './local-time.js';
import '../style/file-field.css';
import { formatSize } from './numbers.js';

const text = textOf('kit');

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

/** Renders one line of text. */
export function TextField(props: TextFieldProps): ReactNode {
  const { type = 'text', autoComplete, placeholder, hasFocus = false, suggestions, ...field } = props;
  return (
    <Field {...field}>
      {(id) => (
        <>
          <TextInput
            id={id}
            type={type}
            value={field.value}
            isRequired={field.isRequired ?? false}
            validated={field.error === undefined ? 'default' : 'error'}
            aria-describedby={`${id}-help`}
            {...(autoComplete !== undefined && { autoComplete })}
            {...(placeholder !== undefined && { placeholder })}
            {...(suggestions && { list: `${id}-suggestions` })}
            autoFocus={hasFocus}
            onChange={(_event, value) => field.onChange(value)}
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
      {(id) => (
        <TextArea
          id={id}
          className={isCode ? 'gh-code' : ''}
          rows={rows}
          value={field.value}
          spellCheck={!isCode}
          resizeOrientation="vertical"
          validated={field.error === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-help`}
          onChange={(_event, value) => field.onChange(value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Renders a selection from a few options. */
export function SelectField({ options, ...field }: SelectFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(id) => (
        <FormSelect
          id={id}
          value={field.value}
          aria-describedby={`${id}-help`}
          onChange={(_event, value) => field.onChange(value)}
        >
          {options.map(({ value, label }) => (
            <FormSelectOption key={value} value={value} label={label} />
          ))}
        </FormSelect>
      )}
    </Field>
  );
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
    <FormGroup label={label} fieldId={id} isRequired={isRequired}>
      {children(id)}
      <FormHelperText id={`${id}-help`}>
        <HelperText>
          {error !== undefined && <HelperTextItem variant="error">{error}</HelperTextItem>}
          {error === undefined && help !== undefined && <HelperTextItem>{help}</HelperTextItem>}
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  /** Effect of checking the box. */
  readonly help?: string;
}

/** Renders a checkbox. */
export function CheckField({ label, isChecked, onChange, help }: CheckFieldProps): ReactNode {
  const id = useId();
  return (
    <Checkbox
      id={id}
      label={label}
      isChecked={isChecked}
      {...(help !== undefined && { description: help })}
      onChange={(_event, checked) => onChange(checked)}
    />
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
  const id = useId();
  return (
    <span className="gh-row-check">
      <Checkbox
        id={id}
        aria-label={label}
        isChecked={isChecked}
        onChange={(event, checked) => onChange(checked, (event.nativeEvent as MouseEvent).shiftKey)}
      />
    </span>
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
    <FormGroup label={label} fieldId={id}>
      <TextInput
        id={id}
        type="datetime-local"
        step={1}
        value={toLocalTime(value)}
        onChange={(_event, text) => onChange(fromLocalTime(text))}
      />
    </FormGroup>
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
    <FormGroup label={label} fieldId={id}>
      <input id={id} className="gh-file" type="file" accept={accept} onChange={(event) => void read(event)} />
      <span role="alert">{fault}</span>
    </FormGroup>
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
    <Form aria-label={label} onSubmit={submit} noValidate {...(id !== undefined && { id })}>
      {children}
    </Form>
  );
}
