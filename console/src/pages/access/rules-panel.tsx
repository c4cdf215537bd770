import { type ReactNode, useState } from 'react';
import { DataTable } from '../../kit/data-table.js';
import { Lines } from '../../kit/facts.js';
import { Empty } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import type { Column } from '../../kit/table-rows.js';
import { textOf } from '../../text/text.js';
import { RemovedRecords } from '../history/removed-records.js';
import { RuleActions, RuleOrigin } from '../rules/rule-actions.js';
import { type ListedRule, originText } from '../rules/rule.js';
import { accessSentences, admittedBy, selectedBy } from './access-rule.js';
import { GiveDialog } from './give-dialog.js';

const text = textOf('access');
const words = textOf('rules');

interface RulesPanelProps {
  readonly rules: readonly ListedRule[];
  readonly roles: readonly string[];
  readonly adapters: readonly string[];
}

/** Renders the access rules of files, of the active profile and of the API. */
export function RulesPanel({ rules, roles, adapters }: RulesPanelProps): ReactNode {
  const [edited, setEdited] = useState<ListedRule>();
  const columns: readonly Column<ListedRule>[] = [
    {
      key: 'name',
      title: text('rule'),
      cell: ({ name }) => <code className="gh-breakable">{name}</code>,
      sortBy: ({ name }) => name,
      text: ({ name }) => name,
    },
    {
      key: 'grants',
      title: text('grants'),
      cell: ({ rule }) => <Lines lines={admittedBy(rule)} />,
      text: ({ rule }) => admittedBy(rule).join(' '),
    },
    {
      key: 'selects',
      title: text('selects'),
      cell: ({ rule }) => <Lines lines={selectedBy(rule)} />,
      text: ({ rule }) => selectedBy(rule).join(' '),
    },
    {
      key: 'origin',
      title: words('origin'),
      cell: (rule) => <RuleOrigin rule={rule} />,
      sortBy: originText,
      text: originText,
    },
    {
      key: 'menu',
      card: 'end',
      title: '',
      cell: (rule) => (
        <RuleActions
          kind="access-rule"
          rule={rule}
          sentences={accessSentences}
          onEdit={() => setEdited(rule)}
        />
      ),
    },
  ];
  return (
    <Panel title={text('rulesTitle')} actions={<RemovedRecords kind="access-rule" />}>
      <DataTable
        label={text('rulesLabel')}
        columns={columns}
        rows={rules}
        keyOf={({ name, origin }) => `${origin.kind} ${name}`}
        empty={<Empty title={text('noRules')}>{text('noRules.help')}</Empty>}
      />
      {edited && (
        <GiveDialog
          edited={edited}
          roles={roles}
          adapters={adapters}
          taken={[]}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  );
}
