import { type ReactNode, useId } from 'react';
import { FormGroup } from '@patternfly/react-core/dist/esm/components/Form';
import { TextInput } from '@patternfly/react-core/dist/esm/components/TextInput';
import { fromLocalTime, toLocalTime } from './local-time.js';

export interface TimeFieldProps {
  readonly label: string;
  /** RFC 3339; empty if there is no time. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An input for a time, shown in the reader's time zone and stored in UTC. */
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
