import { type ReactNode, useId } from 'react';
import { Checkbox } from '@patternfly/react-core/dist/esm/components/Checkbox';

export interface RowCheckProps {
  /** What it picks: "Select port". Heard, not seen: the row says it. */
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** Picks a row of a list. */
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
