import type { ReactNode } from 'react';
import type { ApiProblem } from '../api/problem.js';

/** Shows why a request failed, and what to do next. */
export function ProblemNotice({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const { message, recommendation, requestId } = problem;
  return (
    <div className="gh-task-notice" data-kind="bad" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {recommendation !== undefined && <p>{recommendation}</p>}
      {requestId !== undefined && <p className="gh-task-quiet">Request {requestId}</p>}
    </div>
  );
}
