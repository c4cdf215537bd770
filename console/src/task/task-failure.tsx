import { type ReactNode, useEffect, useState } from 'react';
import { pathOf } from '../api/api-request.js';
import type { ApiProblem } from '../api/problem.js';
import { request } from '../api/request.js';
import { signInAsAnother } from '../api/session.js';
import { Button } from '../form/view/controls.js';
import { listFormat } from '../text/locale.js';
import { rich } from '../text/rich.js';
import { hasStoredDraft } from './local-draft.js';
import { ProblemNotice } from './notices.js';
import { SignInLink } from './parts.js';
import { text } from './task-text.js';

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
      <Button kind="primary" onClick={() => window.location.reload()}>
        {text(isKept ? 'crashedReload' : 'reload')}
      </Button>
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
  return (
    <>
      <h1>{text('signInRequired')}</h1>
      <p>{text('signInFrame')}</p>
      <p className="gh-actions">
        <SignInLink kind="primary">{text('signIn')}</SignInLink>
        <Button onClick={() => window.location.reload()}>{text('reload')}</Button>
      </p>
    </>
  );
}

/** The members of `GET /whoami` that this page shows. */
interface WhoAmI {
  readonly username: string;
  readonly groups: readonly { readonly name: string }[];
  readonly missingRoles: Readonly<Record<string, readonly string[]>>;
}

/** In place of a task that was removed or that is for other people; the server does not say which of both. */
function NoTask(): ReactNode {
  return (
    <>
      <p className="gh-task-code">404</p>
      <h1>{text('noTask')}</h1>
      <p>{rich(text, 'noTaskHint', { link: (children) => <a href="/ui/tasks">{children}</a> })}</p>
      <SignedInAs caller={useCaller()} />
      <a className="gh-button" href={signInAsAnother()}>
        {text('signInAsAnother')}
      </a>
    </>
  );
}

/** In place of a task for a person without a role for tasks: names the missing roles and the person. */
function NoAccess(): ReactNode {
  const caller = useCaller();
  const missing = caller?.missingRoles['getTask'] ?? [];
  return (
    <>
      <p className="gh-task-code">403</p>
      <h1>{text('noAccess')}</h1>
      {missing.length > 0 && (
        <p>
          {text('needsRoles', { count: missing.length, roles: listFormat('disjunction').format(missing) })}
        </p>
      )}
      <SignedInAs caller={caller} />
      <p>{rich(text, 'noAccessHint', { link: (children) => <a href={signInAsAnother()}>{children}</a> })}</p>
    </>
  );
}

function SignedInAs({ caller }: { readonly caller: WhoAmI | undefined }): ReactNode {
  if (!caller) return null;
  const roles = caller.groups.map(({ name }) => name);
  const values = { count: roles.length, name: caller.username, roles: listFormat().format(roles) };
  return <p className="gh-task-quiet">{text('signedInAs', values)}</p>;
}

/** Returns the current user; undefined until it is known. */
function useCaller(): WhoAmI | undefined {
  const [caller, setCaller] = useState<WhoAmI>();
  useEffect(() => {
    // Without the reply the page only lacks the name.
    request<WhoAmI>({ path: '/whoami' }).then(
      ({ data }) => setCaller(data),
      () => undefined,
    );
  }, []);
  return caller;
}
