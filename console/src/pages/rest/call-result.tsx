import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { Panel, Stack } from '../../kit/page.js';
import { CodeView, CopyButton } from '../../kit/copy.js';
import { Facts } from '../../kit/facts.js';
import { Empty, Failure, Loading } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import type { FinishedCall, RestCallReply } from './use-rest-call.js';
import { adviceFor, egressDecisionOf } from './call-outcome.js';

export interface CallResultProps {
  readonly called: FinishedCall | undefined;
  readonly isBusy: boolean;
}

/** Renders the decision of the egress rules for a call, and the response. */
export function CallResult({ called, isBusy }: CallResultProps): ReactNode {
  if (isBusy) return <Panel title="Response">{<Loading what="the response" />}</Panel>;
  if (!called)
    return (
      <Panel title="Response">
        <Empty title="No request sent">
          Send a request to see the decision of the egress rules and the response of the target. Private,
          loopback and link-local addresses are blocked unless an operator allows them.
        </Empty>
      </Panel>
    );
  const { reply, problem } = called;
  return (
    <Stack>
      <DecisionPanel called={called} />
      <Panel title="Response">
        {problem && <NoReply problem={problem} uri={called.sent.uri} />}
        {reply && <Reply reply={reply} ms={called.ms} />}
      </Panel>
    </Stack>
  );
}

/** Explains a missing reply. A refusal by the egress rules is not a missing role, whatever its status is. */
function NoReply({ problem, uri }: { readonly problem: ApiProblem; readonly uri: string }): ReactNode {
  if (problem.code !== 'egress_denied') return <Failure problem={problem} />;
  return (
    <Empty title="Request blocked">
      The egress rules block this destination.{' '}
      {adviceFor(uri, problem) === undefined
        ? 'It must stay closed: use another destination.'
        : problem.recommendation}
    </Empty>
  );
}

function DecisionPanel({
  called: { problem, sent, requestId },
}: {
  readonly called: FinishedCall;
}): ReactNode {
  const { status, word, why } = egressDecisionOf(problem);
  const entry = problem && adviceFor(sent.uri, problem);
  return (
    <Panel title="Egress rules">
      <Facts
        facts={{
          Decision: <StatusLabel status={status}>{word}</StatusLabel>,
          Reason: why,
          Destination: (
            <code>
              {sent.verb} {sent.uri}
            </code>
          ),
          'To allow it':
            entry !== undefined ? (
              <>
                an operator adds <code>{entry}</code> to <code>egress.allow</code>{' '}
                <CopyButton text={() => entry}>Copy</CopyButton>
              </>
            ) : undefined,
          'Audit records':
            requestId === undefined ? undefined : (
              <Link to={`/audit?requestId=${requestId}`}>{requestId}</Link>
            ),
        }}
      />
    </Panel>
  );
}

function Reply({ reply, ms }: { readonly reply: RestCallReply; readonly ms: number }): ReactNode {
  const { statusCode, headers = {}, response } = reply;
  const names = Object.entries(headers);
  return (
    <Stack>
      <Facts
        facts={{
          Status: statusCode === undefined ? undefined : <StatusWord status={statusCode} />,
          Time: `${ms} ms`,
        }}
      />
      <CodeView
        label="Body"
        text={typeof response === 'string' ? response : JSON.stringify(response, null, 2)}
      />
      {names.length > 0 && (
        <CodeView
          label="Headers"
          text={names.map(([name, value]) => `${name}: ${[value].flat().join(', ')}`).join('\n')}
        />
      )}
    </Stack>
  );
}

/** Renders an HTTP status with the icon of its class. */
function StatusWord({ status }: { readonly status: number }): ReactNode {
  const kind = status < 300 ? 'good' : status < 400 ? 'busy' : status < 500 ? 'warning' : 'bad';
  return <StatusLabel status={kind}>{status}</StatusLabel>;
}
