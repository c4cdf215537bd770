import { type ReactNode, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { type PropertySpec, propertyText, propertyValue } from '../../design/property-specs.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../kit/fields.js';

interface PropertyFieldProps {
  readonly spec: PropertySpec;
  readonly type: unknown;
  readonly value: unknown;
  /** `undefined` removes the property. */
  readonly onChange: (value: unknown) => void;
}

/** Renders a property of a field. */
export function PropertyField({ spec, type, value, onChange }: PropertyFieldProps): ReactNode {
  const { label, kind, help, options = [] } = spec;
  const { shown, fault, write } = useTyped({ spec, type, value, onChange });
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
    value: shown,
    onChange: write,
    ...(help !== undefined && { help: text(help) }),
    ...(fault !== undefined && { error: fault }),
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

/** Keeps a text without a valid value in the input, and a text such as `1.` while the value is 1. */
function useTyped({ spec, type, value, onChange }: PropertyFieldProps) {
  const [typed, setTyped] = useState<string>();
  const found = typed === undefined ? undefined : propertyValue(spec, typed, type);
  const fault = found && 'fault' in found ? found.fault : undefined;
  const isCurrent = found && 'value' in found && JSON.stringify(found.value) === JSON.stringify(value);
  const write = (next: string) => {
    setTyped(next);
    const read = propertyValue(spec, next, type);
    if ('value' in read) onChange(read.value);
  };
  const isTyped = isCurrent === true || fault !== undefined;
  return { shown: typed !== undefined && isTyped ? typed : propertyText(spec, value), fault, write };
}
