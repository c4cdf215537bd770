import { type ReactNode, useState } from 'react';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { formatDuration } from '../../kit/numbers.js';
import { Columns, Page, Panel, Stack } from '../../kit/page.js';
import { RowsTable } from '../../kit/rows-table.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { CallResult } from './call-result.js';
import { Composer } from './composer.js';
import { type PastCall, pastUris } from './history.js';
import { type Draft, EMPTY_DRAFT } from './rest-call.js';
import { useRestCall } from './use-rest-call.js';

const text = textOf('rest');

/**
 * Sends a call to any address that the operator allows: the request, the decision of the egress rules, and
 * the reply.
 */
export function RestTool(): ReactNode {
  const { name } = useSession();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const { called, isBusy, past, send, cancel, forget } = useRestCall(name);
  return (
    <Page title={text('title')} lead={text('lead')}>
      <Columns>
        <Stack>
          <Composer
            draft={draft}
            isBusy={isBusy}
            onChange={setDraft}
            uris={pastUris(past)}
            onCancel={cancel}
            onSend={(body) => void send(draft, body)}
          />
          <PastCalls past={past} onPick={setDraft} onForget={forget} />
        </Stack>
        <CallResult called={called} isBusy={isBusy} />
      </Columns>
    </Page>
  );
}

/** Returns the word for the result of a call: a status and the code of a problem are shown as they are. */
function wordOf(outcome: string): string {
  if (outcome === 'ok') return text('outcome.ok');
  return outcome === 'canceled' ? text('outcome.canceled') : outcome;
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
    { key: 'at', title: text('time'), cell: ({ at }) => <Time at={at} /> },
    {
      key: 'call',
      title: text('request'),
      cell: ({ draft }) => (
        <Button kind="link" isSmall onPress={() => onPick(draft)}>
          {`${draft.verb} ${draft.uri}`}
        </Button>
      ),
    },
    { key: 'outcome', title: text('outcome'), cell: ({ outcome }) => wordOf(outcome) },
    { key: 'ms', title: text('duration'), cell: ({ ms }) => formatDuration(ms) },
  ];
  return (
    <Panel
      title={text('history')}
      actions={
        <Button kind="link" isSmall onPress={onForget}>
          {text('history.clear')}
        </Button>
      }
    >
      <p className="gh-quiet">{text('history.help')}</p>
      <RowsTable
        label={text('history')}
        columns={columns}
        rows={past}
        keyOf={({ at, draft }) => `${at} ${draft.uri}`}
      />
    </Panel>
  );
}
