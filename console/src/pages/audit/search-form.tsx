import { type ReactNode, useEffect, useState } from 'react';
import { Button, SubmitButton } from '../../kit/button.js';
import { EntryForm, TextField, TimeField } from '../../kit/fields.js';
import { Actions, FieldGrid } from '../../kit/page.js';
import { formatTime } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type AuditSearch, NO_FILTERS } from './search.js';

const text = textOf('audit');

export interface SearchFormProps {
  readonly search: AuditSearch;
  readonly isBusy: boolean;
  readonly onSearch: (search: AuditSearch) => void;
}

const FIELDS = [
  { name: 'subject', label: 'user', placeholder: 'ada' },
  { name: 'issuer', label: 'issuer', placeholder: 'https://idp.example' },
  { name: 'operation', label: 'operation', placeholder: 'profiles.updateProfile' },
  { name: 'target', label: 'targetContains', placeholder: '/adapters/core1' },
  { name: 'status', label: 'status', placeholder: '503' },
  { name: 'requestId', label: 'requestId', placeholder: '' },
] as const;

const TIMES = [
  { name: 'from', label: 'from' },
  { name: 'to', label: 'before' },
] as const;

/** Renders the fields of an audit search, folded below a line that names the filters in use. */
export function SearchForm({ search, isBusy, onSearch }: SearchFormProps): ReactNode {
  const [draft, setDraft] = useState(search);
  const [isOpen, setOpen] = useState(false);
  // The address may change without this form, for example by a link in the table.
  const key = JSON.stringify(search);
  useEffect(() => setDraft(JSON.parse(key) as AuditSearch), [key]);
  const run = (next: AuditSearch) => {
    setOpen(false);
    onSearch(next);
  };
  const set = (changes: Partial<AuditSearch>) => setDraft({ ...draft, ...changes } as AuditSearch);
  const filters = filtersOf(search);
  return (
    <details className="gh-fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{filters === '' ? text('filters') : text('activeFilters', { filters })}</summary>
      <EntryForm label={text('searchLabel')} onSubmit={() => run({ ...draft, before: '' })}>
        <FieldGrid>
          {TIMES.map(({ name, label }) => (
            <TimeField
              key={name}
              label={text(label)}
              value={draft[name]}
              onChange={(value) => set({ [name]: value })}
            />
          ))}
          {FIELDS.map(({ name, label, placeholder }) => (
            <TextField
              key={name}
              label={text(label)}
              value={draft[name]}
              placeholder={placeholder}
              autoComplete="off"
              onChange={(value) => set({ [name]: value })}
            />
          ))}
        </FieldGrid>
        <Actions>
          <SubmitButton isBusy={isBusy}>{text('search')}</SubmitButton>
          {filters !== '' && (
            <Button kind="link" onPress={() => run({ ...NO_FILTERS, reads: search.reads })}>
              {text('clear')}
            </Button>
          )}
        </Actions>
      </EntryForm>
    </details>
  );
}

/** Returns the filters of a search as text; empty without one. */
function filtersOf(search: AuditSearch): string {
  const shown = [
    ...TIMES.map(({ name, label }) => ({ label, value: timeText(search[name]) })),
    ...FIELDS.map(({ name, label }) => ({ label, value: search[name] })),
  ];
  return shown
    .filter(({ value }) => value !== '')
    .map(({ label, value }) => text('filterValue', { name: text(label), value }))
    .join(' · ');
}

/** Formats a time of the address; returns a text that is not a time unchanged. */
function timeText(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : formatTime(value);
}
