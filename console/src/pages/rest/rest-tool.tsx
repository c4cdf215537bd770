import { type ReactNode, useState } from 'react';
import { useSession } from '../../app/session.js';
import { Columns, Stack } from '../../kit/columns.js';
import { Page } from '../../kit/page.js';
import { Composer } from './composer.js';
import { PastCalls } from './past-calls.js';
import { type Draft, EMPTY_DRAFT } from './rest-call.js';
import { CallResult } from './call-result.js';
import { useRestCall } from './use-rest-call.js';

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
