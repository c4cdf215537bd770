import { type ReactNode, useId } from 'react';
import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core/dist/esm/components/ToggleGroup';

export interface SegmentsProps<Key extends string> {
  /** Name of the choice. */
  readonly label: string;
  readonly options: readonly { readonly key: Key; readonly label: string }[];
  readonly value: Key;
  readonly onChange: (value: Key) => void;
}

/** A choice from a few visible options. */
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
