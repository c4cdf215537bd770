import { type ReactNode, useId } from 'react';
import { FormGroup, FormHelperText } from '@patternfly/react-core/dist/esm/components/Form';
import { FormSelect, FormSelectOption } from '@patternfly/react-core/dist/esm/components/FormSelect';
import { HelperText, HelperTextItem } from '@patternfly/react-core/dist/esm/components/HelperText';
import { TextArea } from '@patternfly/react-core/dist/esm/components/TextArea';
import { TextInput } from '@patternfly/react-core/dist/esm/components/TextInput';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What to enter in this field. */
  readonly help?: string;
  /** What is wrong with the value. */
  readonly error?: string;
  readonly isRequired?: boolean;
}

export interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'url' | 'number';
  readonly autoComplete?: string;
  readonly placeholder?: string;
}

/** One line of text. */
export function TextField({ type = 'text', autoComplete, placeholder, ...field }: TextFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(id) => (
        <TextInput
          id={id}
          type={type}
          value={field.value}
          isRequired={field.isRequired ?? false}
          validated={field.error === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-help`}
          {...(autoComplete !== undefined && { autoComplete })}
          {...(placeholder !== undefined && { placeholder })}
          onChange={(_event, value) => field.onChange(value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text; `isCode` uses a monospace font. */
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

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A selection from a few options. */
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

/** A label, its control, and a help or error text. */
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
