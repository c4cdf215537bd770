import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { CodeView } from '../../kit/copy.js';
import { Failure } from '../../kit/feedback.js';
import { prettyJson } from '../../kit/json-text.js';
import { formatDuration } from '../../kit/numbers.js';
import { RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';

const text = textOf('try');

/** Result of a request: the text of the response, the problem, or that the user has canceled it. */
export interface TryResult {
  readonly ms: number;
  readonly text?: string;
  readonly requestId?: string | undefined;
  readonly problem?: ApiProblem;
  readonly isCanceled?: true;
}

interface TryReplyProps {
  readonly result: TryResult;
  readonly isChange: boolean;
}

/** Renders the result of a request; for a failed one, also what the orchestrator answered. */
export function TryReply({ result, isChange }: TryReplyProps): ReactNode {
  const { ms, text: body = '', requestId, problem, isCanceled } = result;
  if (isCanceled)
    return (
      <p role="status">
        {text('canceled', { duration: formatDuration(ms) })} {isChange && text('canceledChange')}
      </p>
    );
  return (
    <div className="gh-stack" role="status">
      <div className="gh-actions">
        <StatusLabel status={problem ? 'bad' : 'good'}>
          {problem ? `${problem.status} ${problem.code}` : text('ok')}
        </StatusLabel>
        <span>{formatDuration(ms)}</span>
        {requestId !== undefined && <RequestLink id={requestId} />}
      </div>
      {problem && <Failure problem={problem} />}
      {problem?.upstream && (
        <CodeView
          label={text('upstream', { status: problem.upstream.status })}
          text={textOfBody(problem.upstream.body)}
        />
      )}
      {!problem && <CodeView text={prettyJson(body)} label={text('body')} />}
    </div>
  );
}

function textOfBody(body: unknown): string {
  if (body === undefined || body === null || body === '') return text('emptyBody');
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
