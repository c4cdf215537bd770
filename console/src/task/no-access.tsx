import { type ReactNode, useEffect, useState } from 'react';
import { request } from '../api/request.js';
import { signInAsAnother } from '../api/session.js';
import { listFormat } from '../text/locale.js';
import { rich } from '../text/rich.js';
import { textOf } from '../text/text.js';

const text = textOf('task');

/** The members of `GET /whoami` that this page shows. */
interface WhoAmI {
  readonly username: string;
  readonly groups: readonly { readonly name: string }[];
  readonly missingRoles: Readonly<Record<string, readonly string[]>>;
}

/** In place of a task that was removed or that is for other people; the server does not say which of both. */
export function NoTask(): ReactNode {
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
export function NoAccess(): ReactNode {
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
