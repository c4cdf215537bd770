import { type ReactNode, useState } from 'react';
import type { RuleKind } from '../../../../src/core/record-history.js';
import { useSession } from '../../app/session.js';
import { Dialog } from '../../kit/dialog.js';
import { Menu } from '../../kit/menu.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { HistoryTab } from '../history/history-tab.js';
import { ConfirmRule, type Sentences } from './rule-dialog.js';
import { type ListedRule, originText, RULE_OPERATIONS } from './rule.js';

const text = textOf('rules');

interface RuleActionsProps<Effect> {
  readonly kind: RuleKind;
  readonly rule: ListedRule;
  readonly sentences: Sentences<Effect>;
  readonly onEdit: () => void;
}

/** Renders the menu of a stored rule: edit, versions, delete. A rule of a file or a profile has none. */
export function RuleActions<Effect>({ kind, rule, sentences, onEdit }: RuleActionsProps<Effect>): ReactNode {
  const { may } = useSession();
  const [open, setOpen] = useState<'history' | 'delete'>();
  const { name, revision } = rule;
  if (revision === null) return null;
  const close = () => setOpen(undefined);
  const operations = RULE_OPERATIONS[kind];
  return (
    <>
      <Menu
        label={text('actions', { name })}
        actions={[
          ...(may(operations.put) ? [{ key: 'edit', title: text('edit'), onPress: onEdit }] : []),
          { key: 'history', title: text('history'), onPress: () => setOpen('history') },
          ...(may(operations.remove)
            ? [{ key: 'delete', title: text('delete'), isDangerous: true, onPress: () => setOpen('delete') }]
            : []),
        ]}
      />
      {open === 'history' && (
        <Dialog title={text('historyOf', { name })} isOpen isWide onClose={close}>
          <HistoryTab record={{ kind, name }} etag={`"${revision}"`} />
        </Dialog>
      )}
      {open === 'delete' && (
        <ConfirmRule
          kind={kind}
          title={text('deleteTitle', { name })}
          verb={text('delete')}
          name={name}
          edited={rule}
          document={null}
          sentences={sentences}
          onClose={close}
        />
      )}
    </>
  );
}

/** Renders where a rule comes from: a lock and the path for a file, and why a stored rule is not in effect. */
export function RuleOrigin({ rule }: { readonly rule: ListedRule }): ReactNode {
  if (rule.fault !== null) return <StatusLabel status="warning">{rule.fault}</StatusLabel>;
  if (rule.origin.kind === 'record') return originText(rule);
  return <span className="gh-quiet gh-breakable">{originText(rule)}</span>;
}
