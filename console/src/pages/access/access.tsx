import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { RawLinks } from '../../kit/copy.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { Tabs } from '../../kit/tabs.js';
import { textOf } from '../../text/text.js';
import { AskTab } from './ask-tab.js';
import type { AdapterAccess, ListReply, OperationAccess } from './decision.js';
import { AdapterMatrix, OperationMatrix } from './matrices.js';

const text = textOf('access');

const ADAPTERS_PATH = '/access/adapters?limit=1000';
const OPERATIONS_PATH = '/access/operations?limit=1000';

/** Renders who may call what: by role for adapters and operations, and for a question. */
export function Access(): ReactNode {
  const adapters = useRead<ListReply<AdapterAccess>>(ADAPTERS_PATH);
  const operations = useRead<ListReply<OperationAccess>>(OPERATIONS_PATH);
  return (
    <Page title={text('title')} lead={text('lead')} actions={<RawLinks path="/access/adapters" />}>
      <Read query={adapters} what={text('what')}>
        {({ results: ofAdapters }) => (
          <Read query={operations} what={text('what')}>
            {({ results: ofOperations }) => <AccessTabs adapters={ofAdapters} operations={ofOperations} />}
          </Read>
        )}
      </Read>
    </Page>
  );
}

function AccessTabs({
  adapters,
  operations,
}: {
  readonly adapters: readonly AdapterAccess[];
  readonly operations: readonly OperationAccess[];
}): ReactNode {
  const named = operations.flatMap(({ allowed }) => (typeof allowed === 'string' ? [] : allowed));
  const roles = [
    ...new Set([...adapters.flatMap(({ results }) => Object.keys(results)), ...named]),
  ].toSorted();
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  return (
    <Tabs
      label={text('title')}
      tabs={[
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
        {
          key: 'ask',
          title: text('askTab'),
          content: <AskTab operations={names(operations)} adapters={names(adapters)} />,
        },
      ]}
    />
  );
}
