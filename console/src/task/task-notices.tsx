import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.js';
import { useSessionEnded } from '../api/use-session-ended.js';
import { textOf } from '../text/text.js';

const text = textOf('task');

/** Shows why a request failed, and what the person can do. */
export function ProblemNotice({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const isEnded = useSessionEnded();
  if (problem.status === 401)
    return isEnded ? null : (
      <div className="gh-task-notice" data-kind="warning" role="status">
        <p>{text('signedInAgain')}</p>
      </div>
    );
  const { message, hint } = wordsOf(problem);
  return (
    <div className="gh-task-notice" data-kind="bad" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {hint !== '' && <p>{hint}</p>}
      {problem.requestId !== undefined && (
        <p className="gh-task-quiet">{text('request', { id: problem.requestId })}</p>
      )}
    </div>
  );
}

interface Words {
  readonly message: string;
  /** What the person does next. The recommendation of the server is for programs. */
  readonly hint: string;
}

function wordsOf({ code, status, message }: ApiProblem): Words {
  switch (code) {
    case 'requester_excluded':
      return { message: text('requesterExcluded'), hint: '' };
    case 'body_too_large':
      return { message: text('tooLarge'), hint: text('tooLargeHint') };
    case 'unreachable':
      return { message: text('unreachable'), hint: text('unreachableHint') };
    default:
      return { message, hint: status >= 500 ? text('tryAgain') : '' };
  }
}
