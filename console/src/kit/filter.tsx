import type { ReactNode } from 'react';
import { FormSelect, FormSelectOption } from '@patternfly/react-core/dist/esm/components/FormSelect';
import '../style/parts.css';

export interface FilterProps {
  /** What it filters by: "State". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** One of a few, beside the search of a list. */
export function Filter({ label, value, onChange, options }: FilterProps): ReactNode {
  return (
    <label className="gh-filter">
      <span>{label}</span>
      <FormSelect aria-label={label} value={value} onChange={(_event, chosen) => onChange(chosen)}>
        {options.map((option) => (
          <FormSelectOption key={option.value} value={option.value} label={option.label} />
        ))}
      </FormSelect>
    </label>
  );
}
