import type { ReactNode } from 'react';
import type { ApiResponse } from '../../api/api-exchange.js';
import { Stack } from '../../kit/columns.js';
import { CodeView } from '../../kit/copy.js';
import { Facts } from '../../kit/facts.js';
import { StatusLabel } from '../../kit/status.js';
import { readable } from './readable.js';

/** A response: status, time, body and headers. */
export function AnswerView({
  answer: { status, ms, text, headers },
}: {
  readonly answer: ApiResponse;
}): ReactNode {
  const kind = status < 400 ? 'good' : status < 500 ? 'warning' : 'bad';
  return (
    <section aria-label="Response" role="status">
      <Stack>
        <Facts
          facts={{
            Status: <StatusLabel status={kind}>{status}</StatusLabel>,
            Time: `${ms} ms`,
          }}
        />
        <CodeView label="Response body" text={readable(text)} />
        <CodeView label="Headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      </Stack>
    </section>
  );
}
