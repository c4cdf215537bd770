import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Actions } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { type AuditSearch, criteriaFor } from './search.js';

const text = textOf('audit');

const LABELS = {
  requestId: 'requestId',
  status: 'status',
  operation: 'operation',
  target: 'targetContains',
  subject: 'user',
} as const;

export interface SearchAllProps {
  /** What was searched in the loaded rows. */
  readonly words: string;
  /** Says which rows were searched. */
  readonly lead: string;
  readonly onSearch: (filter: Partial<AuditSearch>) => void;
}

/** Offers to search the whole audit trail for words that were searched in the loaded rows only. */
export function SearchAll({ words, lead, onSearch }: SearchAllProps): ReactNode {
  const value = words.trim();
  return (
    <div className="gh-stack">
      <p className="gh-quiet">{lead}</p>
      <Actions>
        {criteriaFor(value).map((name) => (
          <Button key={name} onPress={() => onSearch({ [name]: value })}>
            {text('searchAll', { filter: text('filterValue', { name: text(LABELS[name]), value }) })}
          </Button>
        ))}
      </Actions>
    </div>
  );
}
