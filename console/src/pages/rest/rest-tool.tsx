import { type ReactNode, useState } from 'react';
import { useSession } from '../../app/session.js';
import { Columns, Page, Panel, Stack } from '../../kit/page.js';
import { Composer } from './composer.js';
import { type Draft, EMPTY_DRAFT } from './rest-call.js';
import { CallResult } from './call-result.js';
import { useRestCall } from './use-rest-call.js';
import { Button } from '../../kit/button.js';
import { RowsTable } from '../../kit/rows-table.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import type { PastCall } from './history.js';

/**
 * Sends a call to any address that the operator allows: the request, the decision of the egress rules, and
 * the reply.
 */
export function RestTool(): ReactNode {
  const { name } = useSession();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const { called, isBusy, past, send, forget } = useRestCall(name);
  return (
    <Page
      title="REST tool"
      lead="Sends a request from this server. The egress rules apply, and each request is recorded in the audit trail."
    >
      <Columns>
        <Stack>
          <Composer
            draft={draft}
            isBusy={isBusy}
            onChange={setDraft}
            onSend={(body) => void send(draft, body)}
          />
          <PastCalls past={past} onPick={setDraft} onForget={forget} />
        </Stack>
        <CallResult called={called} isBusy={isBusy} />
      </Columns>
    </Page>
  );
}

export interface PastCallsProps {
  readonly past: readonly PastCall[];
  readonly onPick: (draft: Draft) => void;
  readonly onForget: () => void;
}

/**
 * Renders the previous calls of this user in this window. A call can be repeated; its secrets are not stored.
 */
function PastCalls({ past, onPick, onForget }: PastCallsProps): ReactNode {
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
