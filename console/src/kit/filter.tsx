import type { ReactNode } from 'react';
import { FormSelect, FormSelectOption } from '@patternfly/react-core/dist/esm/components/FormSelect';
import '../style/parts.css';

export interface FilterProps {
  /** Criterion of the filter: "State". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A selection beside the search of a list. */
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
