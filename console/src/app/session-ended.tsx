import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSecondsLeft } from '../api/session-end.js';
import { useSessionEnded } from '../api/use-session-ended.js';
import { Notice } from '../kit/feedback.js';
import { SignInAgainLink } from '../kit/sign-in-again.js';
import { formatCountdown } from '../text/countdown.js';
import { textOf } from '../text/text.js';
import { useSession } from './session.js';

const text = textOf('shell');

/** Offers a sign-in in place when the session has ended; the page and what was entered stay. */
export function SessionEnded(): ReactNode {
  const client = useQueryClient();
  const isEnded = useSessionEnded();
  const wasEnded = useRef(false);
  useEffect(() => {
    if (wasEnded.current && !isEnded) void client.invalidateQueries();
    wasEnded.current = isEnded;
  }, [client, isEnded]);
  if (!isEnded) return <SessionEnding />;
  return (
    <div className="gh-banner" role="alert">
      <Notice kind="warning" title={text('ended.title')} actions={<SignInAgainLink />}>
        {text('ended.help')}
      </Notice>
    </div>
  );
}

/** Warns some minutes before the end of a session that cannot be renewed without the person. */
function SessionEnding(): ReactNode {
  const { endsAt } = useSession();
  const seconds = useSecondsLeft(endsAt);
  if (seconds === undefined) return null;
  return (
    <div className="gh-banner">
      <Notice
        kind="info"
        title={text('ending.title', { time: formatCountdown(seconds) })}
        actions={<SignInAgainLink />}
      >
        {text('ending.help')}
      </Notice>
    </div>
  );
}
