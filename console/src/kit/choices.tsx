import { FormSelect, FormSelectOption } from '@patternfly/react-core/dist/esm/components/FormSelect';
import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core/dist/esm/components/ToggleGroup';
import { type ReactNode, useId } from 'react';
import '../style/parts.css';

interface SegmentsProps<Key extends string> {
  /** Name of the choice. */
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly label: string }[];
  readonly value: Key;
  readonly onChange: (value: Key) => void;
}

/** Renders a choice from a few visible options. */
export function Segments<Key extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentsProps<Key>): ReactNode {
  const id = useId();
  return (
    <ToggleGroup aria-label={label} isCompact>
      {options.map(({ key, label: text }) => (
        <ToggleGroupItem
          key={key}
          text={text}
          buttonId={`${id}-${key}`}
          isSelected={key === value}
          onChange={() => onChange(key)}
        />
      ))}
    </ToggleGroup>
  );
}

interface FilterProps {
  /** Criterion of the filter: "State". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Renders a filter of a list, as a selection with its label beside it. */
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
