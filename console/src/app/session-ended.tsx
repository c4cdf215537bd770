import { type ReactNode, useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useSessionEnded } from '../api/use-session-ended.js';
import { Notice } from '../kit/feedback.js';
import { SignInAgainLink } from '../kit/sign-in-again.js';

/** Offers a sign-in in place when the session has ended; the page and what was entered stay. */
export function SessionEnded(): ReactNode {
  const client = useQueryClient();
  const isEnded = useSessionEnded();
  const wasEnded = useRef(false);
  useEffect(() => {
    if (wasEnded.current && !isEnded) void client.invalidateQueries();
    wasEnded.current = isEnded;
  }, [client, isEnded]);
  if (!isEnded) return null;
  return (
    <div className="gh-session-ended" role="alert">
      <Notice kind="warning" title="Your session has ended" actions={<SignInAgainLink />}>
        The sign-in opens in a new window. What you entered on this page is kept.
      </Notice>
    </div>
  );
}
