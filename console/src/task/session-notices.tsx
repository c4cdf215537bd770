import { type ReactNode, useState } from 'react';
import { useSecondsLeft } from '../api/session-end.js';
import { useSessionEnded, useSignInAgainPath } from '../api/use-session-ended.js';
import { formatCountdown } from '../text/countdown.js';
import { textOf } from '../text/text.js';
import { TaskDialog } from './task-dialog.js';

const text = textOf('task');

/** Asks the person to sign in again in a new window when the session has ended. The entered data stays. */
export function SessionEndedDialog(): ReactNode {
  return useSessionEnded() ? <SignInDialog /> : null;
}

function SignInDialog(): ReactNode {
  const path = useSignInAgainPath();
  const [isClosed, setClosed] = useState(false);
  const hint = <p>{text('sessionEndedHint')}</p>;
  const link = (
    <a className="gh-button" data-kind="primary" href={path} target="_blank" rel="noreferrer">
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
      <div className="gh-actions">
        {link}
        <button type="button" className="gh-button" onClick={() => setClosed(true)}>
          {text('backToForm')}
        </button>
      </div>
    </TaskDialog>
  );
}

/** Counts down the last minutes of a session that cannot be renewed. `endsAt` is in milliseconds since 1970. */
export function SessionCountdown({ endsAt }: { readonly endsAt: number | undefined }): ReactNode {
  const seconds = useSecondsLeft(endsAt);
  const isEnded = useSessionEnded();
  const path = useSignInAgainPath();
  const [answered, setAnswered] = useState<number>();
  if (seconds === undefined || isEnded || answered === endsAt) return null;
  return (
    <div className="gh-task-notice" data-kind="warning">
      <p role="timer">{text('sessionEnds', { time: formatCountdown(seconds) })}</p>
      <a
        className="gh-button"
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
