import { type ReactNode, useId } from 'react';
import { Checkbox } from '@patternfly/react-core/dist/esm/components/Checkbox';

export interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  /** Effect of checking the box. */
  readonly help?: string;
}

/** A checkbox. */
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
