import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { CodeView, CopyButton } from '../../kit/copy.js';
import { Facts } from '../../kit/facts.js';
import { Empty, Failure, Loading } from '../../kit/feedback.js';
import { formatDuration } from '../../kit/numbers.js';
import { Panel, Stack } from '../../kit/page.js';
import { RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { adviceFor, egressDecisionOf } from './call-outcome.js';
import type { FinishedCall, RestCallReply } from './use-rest-call.js';

const text = textOf('rest');

interface CallResultProps {
  readonly called: FinishedCall | undefined;
  readonly isBusy: boolean;
}

/** Renders the decision of the egress rules for a call, and the response. */
export function CallResult({ called, isBusy }: CallResultProps): ReactNode {
  if (isBusy)
    return (
      <Panel title={text('response')}>
        <Loading what={text('response.what')} />
      </Panel>
    );
  if (!called)
    return (
      <Panel title={text('response')}>
        <Empty title={text('none')}>{text('none.help')}</Empty>
      </Panel>
    );
  const { reply, problem } = called;
  if (called.isCanceled)
    return (
      <Panel title={text('response')}>
        <Canceled called={called} />
      </Panel>
    );
  return (
    <Stack>
      <DecisionPanel called={called} />
      <Panel title={text('response')}>
        {problem && <NoReply problem={problem} uri={called.sent.uri} />}
        {reply && <Reply reply={reply} ms={called.ms} />}
      </Panel>
    </Stack>
  );
}

function Canceled({ called: { ms, sent } }: { readonly called: FinishedCall }): ReactNode {
  return (
    <p className="gh-quiet">
      {text('canceled', { duration: formatDuration(ms) })} {sent.verb !== 'GET' && text('canceledChange')}
    </p>
  );
}

/** Explains a missing reply. A refusal by the egress rules is not a missing role, whatever its status is. */
function NoReply({ problem, uri }: { readonly problem: ApiProblem; readonly uri: string }): ReactNode {
  if (problem.code !== 'egress_denied') return <Failure problem={problem} />;
  return (
    <Empty title={text('blocked')}>
      {text(adviceFor(uri, problem) === undefined ? 'blocked.never' : 'blocked.allow')}
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
    <Panel title={text('egress')}>
      <Facts
        facts={{
          [text('decision')]: <StatusLabel status={status}>{word}</StatusLabel>,
          [text('reason')]: why,
          [text('destination')]: <code>{text('destination.value', { verb: sent.verb, uri: sent.uri })}</code>,
          [text('toAllow')]: entry !== undefined ? <AllowEntry entry={entry} /> : undefined,
          [text('requestId')]: requestId === undefined ? undefined : <RequestLink id={requestId} />,
        }}
      />
    </Panel>
  );
}

function AllowEntry({ entry }: { readonly entry: string }): ReactNode {
  return rich(text, 'toAllow.help', {
    entry: () => <code>{entry}</code>,
    setting: (children) => <code>{children}</code>,
    copy: (children) => <CopyButton text={() => entry}>{children}</CopyButton>,
  });
}

function Reply({ reply, ms }: { readonly reply: RestCallReply; readonly ms: number }): ReactNode {
  const { statusCode, headers = {}, response } = reply;
  const names = Object.entries(headers);
  return (
    <Stack>
      <Facts
        facts={{
          [text('status')]: statusCode === undefined ? undefined : <StatusWord status={statusCode} />,
          [text('duration')]: formatDuration(ms),
        }}
      />
      <CodeView
        label={text('body')}
        text={typeof response === 'string' ? response : JSON.stringify(response, null, 2)}
      />
      {names.length > 0 && (
        <CodeView
          label={text('headers')}
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
