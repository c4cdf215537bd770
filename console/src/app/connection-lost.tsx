import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RETRY_MS, tryConnection, useRetry } from '../api/use-retry.js';
import { Button } from '../kit/button.js';
import { Notice } from '../kit/feedback.js';
import { textOf } from '../text/text.js';

const text = textOf('shell');

/** Shows that the server does not answer, tries again, and reads everything again when it answers. */
export function ConnectionLost(): ReactNode {
  const client = useQueryClient();
  const isLost = useRetry(() => void client.invalidateQueries());
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
