import type { ReactNode } from 'react';
import { FieldGrid } from '../../kit/columns.js';
import { SelectField, TextField } from '../../kit/fields.js';
import type { Parameter } from './operation.js';
import { keyOf, type Values } from './target.js';

export interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** Fields for the path and query parameters of an operation. */
export function ParameterFields({ parameters, values, onChange }: ParameterFieldsProps): ReactNode {
  if (parameters.length === 0) return null;
  return (
    <FieldGrid>
      {parameters.map((parameter) => (
        <ParameterField
          key={keyOf(parameter)}
          parameter={parameter}
          value={values[keyOf(parameter)] ?? ''}
          onChange={(value) => onChange({ ...values, [keyOf(parameter)]: value })}
        />
      ))}
    </FieldGrid>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A selection for an enumeration, otherwise a text field. */
function ParameterField({ parameter, value, onChange }: ParameterFieldProps): ReactNode {
  const { name, in: place, required = false, description, schema = {} } = parameter;
  const help = [description, defaultText(schema['default'])].filter(Boolean).join('. ');
  const field = {
    label: `${name} (${place})`,
    value,
    onChange,
    isRequired: required,
    ...(help !== '' && { help }),
  };
  const words = schema['enum'];
  if (!Array.isArray(words)) return <TextField {...field} autoComplete="off" />;
  const options = words.map((word) => ({ value: String(word), label: String(word) }));
  return <SelectField {...field} options={[{ value: '', label: '(not set)' }, ...options]} />;
}

function defaultText(preset: unknown): string {
  return preset === undefined ? '' : `Default: ${JSON.stringify(preset)}`;
}
