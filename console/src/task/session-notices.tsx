import { type ReactNode, useEffect, useState } from 'react';
import { renewSession } from '../api/session.js';
import { useSessionEnded, useSignInAgainPath } from '../api/use-session-ended.js';
import { textOf } from '../text/text.js';
import { TaskDialog } from './task-dialog.js';

const text = textOf('task');

/** Last part of a session, in which the page counts the minutes, in milliseconds. */
const WARNING_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Maximum delay of a timer in browsers, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Asks the person to sign in again in a new window when the session has ended. The entered data stays. */
export function SessionEndedDialog(): ReactNode {
  return useSessionEnded() ? <SignInDialog /> : null;
}

function SignInDialog(): ReactNode {
  const path = useSignInAgainPath();
  const [isClosed, setClosed] = useState(false);
  const hint = <p>{text('sessionEndedHint')}</p>;
  const link = (
    <a className="gh-task-button" data-kind="primary" href={path} target="_blank" rel="noreferrer">
      {text('signInAgain')}
    </a>
  );
  // A person who closes the dialog still reads the form, and still finds the link.
  if (isClosed)
    return (
      <div className="gh-task-notice" data-kind="warning" role="status">
        <p>
          <strong>{text('sessionEnded')}</strong>
        </p>
        {hint}
        {link}
      </div>
    );
  return (
    <TaskDialog title={text('sessionEnded')} onClose={() => setClosed(true)}>
      {hint}
      <div className="gh-task-buttons">
        {link}
        <button type="button" className="gh-task-button" onClick={() => setClosed(true)}>
          {text('backToForm')}
        </button>
      </div>
    </TaskDialog>
  );
}

/** Counts down the last minutes of a session that cannot be renewed. `endsAt` is in milliseconds since 1970. */
export function SessionCountdown({ endsAt }: { readonly endsAt: number | undefined }): ReactNode {
  const minutes = useMinutesLeft(endsAt);
  const isEnded = useSessionEnded();
  const path = useSignInAgainPath();
  const [answered, setAnswered] = useState<number>();
  if (minutes === undefined || isEnded || answered === endsAt) return null;
  return (
    <div className="gh-task-notice" data-kind="warning" role="status">
      <p>{text('sessionEnds', { minutes })}</p>
      <a
        className="gh-task-button"
        href={path}
        target="_blank"
        rel="noreferrer"
        onClick={() => setAnswered(endsAt)}
      >
        {text('signInAgain')}
      </a>
    </div>
  );
}

/** Returns the minutes to the end of the session in its last five minutes, if it cannot be renewed. */
function useMinutesLeft(endsAt: number | undefined): number | undefined {
  const [minutes, setMinutes] = useState<number>();
  useEffect(() => {
    setMinutes(undefined);
    if (endsAt === undefined) return undefined;
    let timer: number | undefined;
    let isUnmounted = false;
    const show = () => {
      const left = endsAt - Date.now();
      setMinutes(left > 0 ? Math.ceil(left / MINUTE_MS) : undefined);
      if (left > 0) timer = window.setTimeout(show, Math.min(left, MINUTE_MS));
    };
    const begin = async () => {
      const renewal = await renewSession();
      if (renewal === 'ended' && !isUnmounted) show();
    };
    const delay = Math.min(Math.max(endsAt - Date.now() - WARNING_MS, 0), MAX_DELAY_MS);
    timer = window.setTimeout(() => void begin(), delay);
    return () => {
      isUnmounted = true;
      window.clearTimeout(timer);
    };
  }, [endsAt]);
  return minutes;
}
