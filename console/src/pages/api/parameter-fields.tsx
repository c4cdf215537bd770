import type { ReactNode } from 'react';
import { SelectField, TextField } from '../../kit/fields.js';
import { FieldGrid } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import type { Parameter } from './operation.js';
import { parameterKey, type ParameterValues } from './target.js';

const text = textOf('api');

interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly values: ParameterValues;
  readonly onChange: (values: ParameterValues) => void;
}

/** Renders fields for the path and query parameters of an operation. */
export function ParameterFields({ parameters, values, onChange }: ParameterFieldsProps): ReactNode {
  if (parameters.length === 0) return null;
  return (
    <FieldGrid>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameterKey(parameter)}
          parameter={parameter}
          value={values[parameterKey(parameter)] ?? ''}
          onChange={(value) => onChange({ ...values, [parameterKey(parameter)]: value })}
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

/** Renders the field of one parameter: a selection for an enumeration, otherwise a text field. */
function ParameterField({ parameter, value, onChange }: ParameterFieldProps): ReactNode {
  const { name, in: location, required = false, description, schema = {} } = parameter;
  const help = [description, defaultText(schema['default'])].filter(Boolean).join('. ');
  const field = {
    label: text('parameter', { name, location }),
    value,
    onChange,
    isRequired: required,
    ...(help !== '' && { help }),
  };
  const words = schema['enum'];
  if (!Array.isArray(words)) return <TextField {...field} autoComplete="off" />;
  const options = words.map((word) => ({ value: String(word), label: String(word) }));
  return <SelectField {...field} options={[{ value: '', label: text('notSet') }, ...options]} />;
}

function defaultText(preset: unknown): string {
  return preset === undefined ? '' : text('default', { value: JSON.stringify(preset) });
}
