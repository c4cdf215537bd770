import type { ReactNode } from 'react';
import { Button } from './button.js';
import { text } from './kit-text.js';
import { formatCount } from './numbers.js';

interface SearchBoxProps {
  /** Accessible name. */
  readonly label: string;
  readonly value: string;
  /** Number of matches. */
  readonly count: number;
  readonly onChange: (value: string) => void;
}

/** Renders the search of a list, with the number of matches. The key `/` gives it the focus. */
export function SearchBox({ label, value, count, onChange }: SearchBoxProps): ReactNode {
  return (
    <div className="gh-search">
      <input
        type="text"
        className="gh-input"
        data-search
        aria-label={label}
        placeholder={text('search')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {value !== '' && (
        <span className="gh-search-end">
          <span className="gh-quiet gh-number">{formatCount(count)}</span>
          <Button kind="plain" isSmall label={text('search.clear')} onPress={() => onChange('')}>
            ✕
          </Button>
        </span>
      )}
    </div>
  );
}
