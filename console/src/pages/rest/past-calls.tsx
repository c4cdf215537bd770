import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Panel } from '../../kit/page.js';
import { RowsTable } from '../../kit/rows-table.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import type { PastCall } from './history.js';
import type { Draft } from './rest-call.js';

export interface PastCallsProps {
  readonly past: readonly PastCall[];
  readonly onPick: (draft: Draft) => void;
  readonly onForget: () => void;
}

/** The previous calls of this user in this window, which can be repeated; their secrets are not kept. */
export function PastCalls({ past, onPick, onForget }: PastCallsProps): ReactNode {
  if (past.length === 0) return null;
  const columns: readonly Column<PastCall>[] = [
    { key: 'at', title: 'Time', cell: ({ at }) => <Ago at={at} /> },
    {
      key: 'call',
      title: 'Request',
      cell: ({ draft }) => (
        <Button kind="link" isSmall onPress={() => onPick(draft)}>
          {`${draft.verb} ${draft.uri}`}
        </Button>
      ),
    },
    { key: 'outcome', title: 'Outcome', cell: ({ outcome }) => outcome },
    { key: 'ms', title: 'Duration', cell: ({ ms }) => `${ms} ms` },
  ];
  return (
    <Panel
      title="Previous requests"
      actions={
        <Button kind="link" isSmall onPress={onForget}>
          Clear history
        </Button>
      }
    >
      <p className="gh-quiet">
        Visible only to you, until you close this window. Passwords and other secrets are not stored.
      </p>
      <RowsTable
        label="Previous requests"
        columns={columns}
        rows={past}
        keyOf={({ at, draft }) => `${at} ${draft.uri}`}
      />
    </Panel>
  );
}
