import { type ReactNode, useState } from 'react';
import { Button, SubmitButton } from '../../kit/button.js';
import { Actions, FieldGrid } from '../../kit/page.js';
import { EntryForm, TextField, TimeField } from '../../kit/fields.js';
import { type AuditSearch, NO_FILTERS } from './search.js';

export interface SearchFormProps {
  readonly search: AuditSearch;
  readonly isBusy: boolean;
  readonly onSearch: (search: AuditSearch) => void;
}

const FIELDS = [
  { name: 'subject', label: 'User', placeholder: 'ada' },
  { name: 'issuer', label: 'Issuer', placeholder: 'https://idp.example' },
  { name: 'operation', label: 'Operation', placeholder: 'profiles.updateProfile' },
  { name: 'target', label: 'Target contains', placeholder: '/adapters/core1' },
  { name: 'status', label: 'Status', placeholder: '503' },
  { name: 'requestId', label: 'Request ID', placeholder: '' },
] as const;

/** Renders the fields of an audit search. */
export function SearchForm({ search, isBusy, onSearch }: SearchFormProps): ReactNode {
  const [draft, setDraft] = useState(search);
  const set = (changes: Partial<AuditSearch>) => setDraft({ ...draft, ...changes } as AuditSearch);
  const isNarrowed = Object.values(search).some((value) => value !== '');
  return (
    <EntryForm label="Search the audit trail" onSubmit={() => onSearch({ ...draft, before: '' })}>
      <FieldGrid>
        <TimeField label="From" value={draft.since} onChange={(since) => set({ since })} />
        <TimeField label="Before" value={draft.until} onChange={(until) => set({ until })} />
        {FIELDS.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            value={draft[name]}
            placeholder={placeholder}
            autoComplete="off"
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </FieldGrid>
      <Actions>
        <SubmitButton isBusy={isBusy}>Search</SubmitButton>
        {isNarrowed && (
          <Button kind="link" onPress={() => onSearch(NO_FILTERS)}>
            Clear filters
          </Button>
        )}
      </Actions>
    </EntryForm>
  );
}
