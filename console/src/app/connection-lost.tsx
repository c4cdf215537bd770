import { type ReactNode, useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useConnectionLost } from '../api/connection.js';
import { request } from '../api/request.js';
import { Button } from '../kit/button.js';
import { Notice } from '../kit/feedback.js';
import { textOf } from '../text/text.js';

const text = textOf('shell');

/** Interval between attempts to reach the server, in milliseconds. */
const RETRY_MS = 5000;

/** Sends a request that every person may send; `api/request.ts` reports whether the server answered. */
function tryConnection(): void {
  void request({ path: '/console/sign-in' }).catch(() => undefined);
}

/** Shows that the server does not answer, tries again, and reads everything again when it answers. */
export function ConnectionLost(): ReactNode {
  const client = useQueryClient();
  const isLost = useConnectionLost();
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) void client.invalidateQueries();
    wasLost.current = isLost;
    if (!isLost) return undefined;
    const timer = window.setInterval(tryConnection, RETRY_MS);
    window.addEventListener('online', tryConnection);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', tryConnection);
    };
  }, [client, isLost]);
  if (!isLost) return null;
  return (
    <div className="gh-banner" role="alert">
      <Notice
        kind="warning"
        title={text('lost.title')}
        actions={
          <Button kind="link" onPress={tryConnection}>
            {text('lost.retry')}
          </Button>
        }
      >
        {text('lost.help', { seconds: RETRY_MS / 1000 })}
      </Notice>
    </div>
  );
}
