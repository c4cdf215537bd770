import { type ReactNode, useEffect } from 'react';
import { pathOf } from '../api/api-request.js';
import type { ApiProblem } from '../api/problem.js';
import { useSignInAgainPath } from '../api/use-session-ended.js';
import { textOf } from '../text/text.js';
import { hasStoredDraft } from './local-draft.js';
import { NoAccess, NoTask } from './no-access.js';
import { ProblemNotice } from './task-notices.js';

const text = textOf('task');

/** The page in place of a task that cannot be shown. Goes to the sign-in and back if that is missing. */
export function TaskFailure({ problem }: { readonly problem: ApiProblem }): ReactNode {
  if (problem.status === 401) return isFramed() ? <SignInOutside /> : <GoToSignIn />;
  if (problem.code === 'task_not_found') return <NoTask />;
  if (problem.status === 403) return <NoAccess />;
  return <ProblemNotice problem={problem} />;
}

/** Shown after an error of the page itself. A reload restores the unsaved changes that this browser has stored. */
export function PageCrashed({ error }: { readonly error: Error }): ReactNode {
  const isKept = hasStoredDraft(new URLSearchParams(window.location.search).get('task') ?? '');
  return (
    <main className="gh-task gh-task-alone" role="alert">
      <h1>{text('crashed')}</h1>
      <p>{text(isKept ? 'crashedHint' : 'crashedHintNotKept')}</p>
      <button
        type="button"
        className="gh-button"
        data-kind="primary"
        onClick={() => window.location.reload()}
      >
        {text(isKept ? 'crashedReload' : 'reload')}
      </button>
      <p className="gh-task-quiet">{error.message}</p>
    </main>
  );
}

function signInPath(): string {
  return pathOf(['ui', 'sign-in'], { return: window.location.pathname + window.location.search });
}

/** Another site that shows this page in a frame must not be replaced by the sign-in, which refuses frames. */
function isFramed(): boolean {
  return window.parent !== window;
}

function GoToSignIn(): ReactNode {
  useEffect(() => window.location.replace(signInPath()), []);
  return (
    <p>
      <a href={signInPath()}>{text('signIn')}</a>
    </p>
  );
}

function SignInOutside(): ReactNode {
  const path = useSignInAgainPath();
  return (
    <>
      <h1>{text('signInRequired')}</h1>
      <p>{text('signInFrame')}</p>
      <p className="gh-actions">
        <a className="gh-button" data-kind="primary" href={path} target="_blank" rel="noreferrer">
          {text('signIn')}
        </a>
        <button type="button" className="gh-button" onClick={() => window.location.reload()}>
          {text('reload')}
        </button>
      </p>
    </>
  );
}
