import { type ReactNode, useState } from 'react';
import { type PropertySpec, propertyText, propertyValue } from '../../design/property-specs.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';

const text = textOf('designer');

interface PropertyFieldProps {
  readonly spec: PropertySpec;
  /** Type of the field. */
  readonly type: unknown;
  readonly value: unknown;
  /** `undefined` removes the property. */
  readonly onChange: (value: unknown) => void;
}

/** Renders a property of a field. A text without a valid value stays in the input. */
export function PropertyField({ spec, type, value, onChange }: PropertyFieldProps): ReactNode {
  const { label, kind, help, options = [] } = spec;
  const [invalid, setInvalid] = useState<{ readonly typed: string; readonly fault: string }>();
  const change = (typed: string) => {
    const found = propertyValue(spec, typed, type);
    setInvalid('fault' in found ? { typed, fault: found.fault } : undefined);
    if ('value' in found) onChange(found.value);
  };
  if (kind === 'tick')
    return (
      <CheckField
        label={text(label)}
        isChecked={value === true}
        onChange={(isChecked) => onChange(isChecked ? true : undefined)}
      />
    );
  const field = {
    label: text(label),
    value: invalid?.typed ?? propertyText(spec, value),
    onChange: change,
    ...(help !== undefined && { help: text(help) }),
    ...(invalid && { error: invalid.fault }),
  };
  if (kind === 'select') return <SelectField {...field} options={choices(options, field.value)} />;
  if (kind === 'lines' || kind === 'json')
    return <TextAreaField {...field} rows={3} isCode={kind === 'json'} />;
  return <TextField {...field} />;
}

function choices(options: readonly string[], value: string) {
  const all = options.includes(value) || value === '' ? options : [...options, value];
  return [{ value: '', label: text('defaultOption') }, ...all.map((one) => ({ value: one, label: one }))];
}
