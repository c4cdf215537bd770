import type { ReactNode } from 'react';
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
  return (
    <div className="gh-segments" role="group" aria-label={label}>
      {options.map(({ key, label: text }) => (
        <button
          key={key}
          type="button"
          className="gh-button"
          aria-pressed={key === value}
          onClick={() => onChange(key)}
        >
          {text}
        </button>
      ))}
    </div>
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
      <select
        className="gh-input"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
