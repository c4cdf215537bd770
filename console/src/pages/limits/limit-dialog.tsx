import { type ReactNode, useState } from 'react';
import { CheckField, SelectField, TextField } from '../../kit/fields.js';
import { FieldGrid } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { RuleDialog } from '../rules/rule-dialog.js';
import { type ListedRule, proposedName, valuesIn } from '../rules/rule.js';
import {
  isComplete,
  type LimitDraft,
  limitDraft,
  limitOf,
  limitSentences,
  numberFault,
} from './limit-rule.js';

const text = textOf('limits');
const words = textOf('rules');

const BASES = ['subject', 'client', 'role', 'address'] as const;

interface LimitDialogProps {
  /** The limit to change; undefined for a new one. */
  readonly edited?: ListedRule | undefined;
  /** Names of the limits that are there. */
  readonly taken: readonly string[];
  readonly callers: readonly string[];
  readonly onClose: () => void;
}

/** Limits the calls of callers, or changes such a limit. */
export function LimitDialog({ edited, taken, callers, onClose }: LimitDialogProps): ReactNode {
  const [draft, setDraft] = useState(() => limitDraft(edited?.rule ?? { requests: 100 }));
  const [ownName, setOwnName] = useState<string>();
  const [caller = 'all'] = [...valuesIn(draft.callerNames), ...valuesIn(draft.roles)];
  const name =
    edited?.name ?? ownName ?? proposedName([caller, ...valuesIn(draft.adapters).slice(0, 1)], taken);
  const field = (key: Exclude<keyof LimitDraft, 'enabled' | 'per'>) => ({
    value: draft[key],
    onChange: (value: string) => setDraft({ ...draft, [key]: value }),
  });
  const number = (key: 'requests' | 'periodSeconds' | 'burst' | 'concurrent') => {
    const error = numberFault(draft[key]);
    return { ...field(key), ...(error !== undefined && { error }) };
  };
  const hasMore =
    draft.burst + draft.operations + draft.roles !== '' || draft.per !== 'subject' || !draft.enabled;
  return (
    <RuleDialog
      kind="limit"
      title={edited ? text('editTitle', { name }) : text('newTitle')}
      edited={edited}
      name={name}
      isTaken={!edited && taken.includes(name)}
      onName={setOwnName}
      document={limitOf(draft)}
      isReady={isComplete(draft)}
      sentences={limitSentences(name)}
      onClose={onClose}
    >
      <TextField
        label={text('callerNames')}
        help={text('callerNamesHelp')}
        suggestions={callers}
        {...field('callerNames')}
      />
      <FieldGrid>
        <TextField label={text('requests')} help={text('optionalNumber')} {...number('requests')} />
        <TextField label={text('periodSeconds')} {...number('periodSeconds')} />
        <TextField label={text('concurrentField')} help={text('optionalNumber')} {...number('concurrent')} />
      </FieldGrid>
      <TextField label={text('adaptersField')} help={words('commasOrAll')} {...field('adapters')} />
      <details className="gh-fold" open={hasMore || undefined}>
        <summary>{words('more')}</summary>
        <FieldGrid>
          <SelectField
            label={text('per')}
            value={draft.per}
            options={BASES.map((value) => ({ value, label: text(value) }))}
            onChange={(value) =>
              setDraft({ ...draft, per: BASES.find((base) => base === value) ?? 'subject' })
            }
          />
          <TextField label={text('operationsField')} help={words('commasOrAll')} {...field('operations')} />
          <TextField label={text('rolesField')} help={words('commasOrAll')} {...field('roles')} />
          <TextField label={text('burstField')} {...number('burst')} />
        </FieldGrid>
        <CheckField
          label={text('enabled')}
          isChecked={draft.enabled}
          onChange={(enabled) => setDraft({ ...draft, enabled })}
        />
      </details>
    </RuleDialog>
  );
}
