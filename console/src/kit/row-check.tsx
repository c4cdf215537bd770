import { type ReactNode, useId } from 'react';
import { Checkbox } from '@patternfly/react-core/dist/esm/components/Checkbox';

export interface RowCheckProps {
  /** Accessible name: "Select port". Not visible, because the row shows the same name. */
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A checkbox that selects a row of a list. */
export function RowCheck({ label, isChecked, onChange }: RowCheckProps): ReactNode {
  const id = useId();
  return (
    <span className="gh-row-check">
      <Checkbox
        id={id}
        aria-label={label}
        isChecked={isChecked}
        onChange={(_event, checked) => onChange(checked)}
      />
    </span>
  );
}
