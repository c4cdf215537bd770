import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { Tabs } from '../../kit/tabs.js';
import { textOf } from '../../text/text.js';
import { type ListedRule, type RuleDocument, rulesPath } from '../rules/rule.js';
import { AskTab } from './ask-tab.js';
import type { AdapterAccess, ListReply, OperationAccess } from './decision.js';
import { GiveDialog } from './give-dialog.js';
import { AdapterMatrix, OperationMatrix } from './matrices.js';
import { RulesPanel } from './rules-panel.js';

const text = textOf('access');
const words = textOf('rules');

const ADAPTERS_PATH = '/access/adapters?limit=1000';
const OPERATIONS_PATH = '/access/operations?limit=1000';

/** Renders who may call what: by role for adapters and operations, and for a question. */
export function Access(): ReactNode {
  const adapters = useRead<ListReply<AdapterAccess>>(ADAPTERS_PATH);
  const operations = useRead<ListReply<OperationAccess>>(OPERATIONS_PATH);
  const rules = useRead<ListReply<ListedRule>>(rulesPath('access-rule'));
  return (
    <Page title={text('title')} lead={text('lead')} source={{ path: '/access/adapters' }}>
      <Read query={adapters} what={text('what')}>
        {({ results: ofAdapters }) => (
          <Read query={operations} what={text('what')}>
            {({ results: ofOperations }) => (
              <Read query={rules} what={words('what')}>
                {({ results }) => (
                  <AccessTabs adapters={ofAdapters} operations={ofOperations} rules={results} />
                )}
              </Read>
            )}
          </Read>
        )}
      </Read>
    </Page>
  );
}

function AccessTabs({
  adapters,
  operations,
  rules,
}: {
  readonly adapters: readonly AdapterAccess[];
  readonly operations: readonly OperationAccess[];
  readonly rules: readonly ListedRule[];
}): ReactNode {
  const { may } = useSession();
  const [preset, setPreset] = useState<RuleDocument>();
  const onGive = may('putAccessRule') ? setPreset : undefined;
  const named = operations.flatMap(({ allowed }) => (typeof allowed === 'string' ? [] : allowed));
  const roles = [
    ...new Set([...adapters.flatMap(({ results }) => Object.keys(results)), ...named]),
  ].toSorted();
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  const lists = { roles, adapters: names(adapters) };
  return (
    <>
      <Tabs
        label={text('title')}
        tabs={[
          {
            key: 'ask',
            title: text('askTab'),
            content: (
              <>
                <AskTab operations={names(operations)} adapters={lists.adapters} onGive={onGive} />
                <RulesPanel {...lists} rules={rules} />
              </>
            ),
          },
          {
            key: 'adapters',
            title: text('adapters'),
            content: <AdapterMatrix rows={adapters} roles={roles} />,
          },
          {
            key: 'operations',
            title: text('operations'),
            content: <OperationMatrix rows={operations} roles={roles} />,
          },
        ]}
      />
      {preset && (
        <GiveDialog {...lists} preset={preset} taken={names(rules)} onClose={() => setPreset(undefined)} />
      )}
    </>
  );
}
