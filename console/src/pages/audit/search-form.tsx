import { type ReactNode, useEffect, useState } from 'react';
import { Button, SubmitButton } from '../../kit/button.js';
import { EntryForm, TextField, TimeField } from '../../kit/fields.js';
import { FieldGrid } from '../../kit/page.js';
import { formatTime } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type AuditSearch, isFiltered, NO_FILTERS } from './search.js';

const text = textOf('audit');

/** What a person has done to a search form: the fields filled in, and the fold opened. */
interface SearchDraft {
  readonly fields: AuditSearch;
  readonly isOpen: boolean;
  readonly setFields: (fields: AuditSearch) => void;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Returns the draft of a search. Its owner keeps it while the form moves on the page, for example when records arrive. */
export function useSearchDraft(search: AuditSearch): SearchDraft {
  const [fields, setFields] = useState(search);
  const [isOpen, setOpen] = useState(false);
  // The address may change without the form, for example by a link in the table.
  const key = JSON.stringify(search);
  useEffect(() => setFields(JSON.parse(key) as AuditSearch), [key]);
  return { fields, isOpen, setFields, setOpen };
}

interface SearchFormProps {
  readonly draft: SearchDraft;
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

/** Renders the search of the audit trail: one field, and exact filters, folded below a line that names those in use. */
export function SearchForm({ draft, search, isBusy, onSearch }: SearchFormProps): ReactNode {
  const { fields, isOpen, setFields, setOpen } = draft;
  const run = (next: AuditSearch) => {
    setOpen(false);
    onSearch(next);
  };
  const set = (changes: Partial<AuditSearch>) => setFields({ ...fields, ...changes } as AuditSearch);
  const filters = filtersOf(search);
  return (
    <EntryForm label={text('searchLabel')} onSubmit={() => run({ ...fields, before: '' })}>
      <div className="gh-toolbar">
        <div className="gh-search">
          <input
            type="search"
            className="gh-input"
            data-search
            aria-label={text('searchLabel')}
            placeholder={text('searchHint')}
            autoComplete="off"
            spellCheck={false}
            value={fields.search}
            onChange={({ currentTarget }) => set({ search: currentTarget.value })}
          />
        </div>
        <SubmitButton isBusy={isBusy}>{text('search')}</SubmitButton>
        {isFiltered(search) && (
          <Button kind="link" onPress={() => run({ ...NO_FILTERS, reads: search.reads })}>
            {text('clear')}
          </Button>
        )}
        <details
          className="gh-fold"
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>{filters === '' ? text('filters') : text('activeFilters', { filters })}</summary>
          <FieldGrid>
            {TIMES.map(({ name, label }) => (
              <TimeField
                key={name}
                label={text(label)}
                value={fields[name]}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
            {FIELDS.map(({ name, label, placeholder }) => (
              <TextField
                key={name}
                label={text(label)}
                value={fields[name]}
                placeholder={placeholder}
                autoComplete="off"
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </FieldGrid>
        </details>
      </div>
    </EntryForm>
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
