import { type ReactNode, useState } from 'react';
import { CheckField, TextField } from '../../kit/fields.js';
import { FieldGrid } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { RuleDialog } from '../rules/rule-dialog.js';
import { type ListedRule, proposedName, type RuleDocument, valuesIn } from '../rules/rule.js';
import {
  accessSentences,
  type AccessDraft,
  CALL_KEYS,
  type CallKey,
  draftOf,
  ruleOf,
} from './access-rule.js';

const text = textOf('access');
const words = textOf('rules');

interface GiveDialogProps {
  /** The rule to change; undefined for a new one. */
  readonly edited?: ListedRule | undefined;
  /** First values of the fields of a new rule. */
  readonly preset?: RuleDocument | undefined;
  readonly roles: readonly string[];
  readonly adapters: readonly string[];
  /** Names of the rules that are there. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Gives roles the right to use adapters, or changes such a rule. */
export function GiveDialog({ edited, preset, roles, adapters, taken, onClose }: GiveDialogProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(edited?.rule ?? preset ?? {}));
  const [ownName, setOwnName] = useState<string>();
  const rule = ruleOf(draft);
  const name = edited?.name ?? ownName ?? proposedName(nameParts(draft), taken);
  const field = (key: keyof Omit<AccessDraft, 'operations'>) => ({
    value: draft[key],
    onChange: (value: string) => setDraft({ ...draft, [key]: value }),
  });
  const toggle = (key: CallKey) => (isChecked: boolean) =>
    setDraft({
      ...draft,
      operations: CALL_KEYS.filter((one) => (one === key ? isChecked : draft.operations.includes(one))),
    });
  const hasMore = ['tags', 'methods', 'paths', 'methodNames', 'methodTags', 'methodEffects'] as const;
  return (
    <RuleDialog
      kind="access-rule"
      title={edited ? text('editTitle', { name }) : text('giveTitle')}
      edited={edited}
      name={name}
      isTaken={!edited && taken.includes(name)}
      onName={setOwnName}
      document={rule}
      isReady={draft.operations.length > 0 && valuesIn(draft.roles).length > 0}
      sentences={accessSentences}
      onClose={onClose}
    >
      <TextField
        label={text('toRoles')}
        help={text('toRolesHelp')}
        isRequired
        suggestions={roles}
        {...field('roles')}
      />
      <fieldset className="gh-choices">
        <legend>{text('mayDo')}</legend>
        {CALL_KEYS.map((key) => (
          <CheckField
            key={key}
            label={text(`may.${key}`)}
            isChecked={draft.operations.includes(key)}
            onChange={toggle(key)}
          />
        ))}
      </fieldset>
      <TextField
        label={text('onAdapters')}
        help={text('onAdaptersHelp')}
        suggestions={adapters}
        {...field('adapters')}
      />
      <details className="gh-fold" open={hasMore.some((key) => draft[key] !== '') || undefined}>
        <summary>{words('more')}</summary>
        <FieldGrid>
          <TextField label={text('tags')} help={words('commasOrAll')} {...field('tags')} />
          <TextField label={text('methodsField')} help={words('commasOrAll')} {...field('methods')} />
          <TextField
            label={text('paths')}
            help={words('commasOrAll')}
            placeholder="/restconf/data/**"
            {...field('paths')}
          />
          <TextField label={text('methodNames')} help={words('commasOrAll')} {...field('methodNames')} />
          <TextField label={text('methodTags')} help={words('commasOrAll')} {...field('methodTags')} />
          <TextField label={text('methodEffects')} help={words('commasOrAll')} {...field('methodEffects')} />
        </FieldGrid>
      </details>
    </RuleDialog>
  );
}

/** Returns the words of the name of a new rule. */
function nameParts({ roles, operations, adapters, tags }: AccessDraft): readonly string[] {
  const [role = 'role'] = valuesIn(roles);
  const [adapter = 'all'] = [...valuesIn(adapters), ...valuesIn(tags)];
  return [role, ...(operations.length === 1 ? operations : []), adapter];
}
