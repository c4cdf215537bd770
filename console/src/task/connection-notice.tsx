import type { ReactNode } from 'react';
import { RETRY_MS, tryConnection } from '../api/use-retry.js';
import { textOf } from '../text/text.js';

const text = textOf('task');

/** Reports that the server does not answer, and offers to try again. */
export function ConnectionNotice({ isLost }: { readonly isLost: boolean }): ReactNode {
  if (!isLost) return null;
  return (
    <div className="gh-task-notice" data-kind="warning">
      <p role="status">
        <strong>{text('lost')}</strong> {text('lostHint', { seconds: RETRY_MS / 1000 })}
      </p>
      <button type="button" className="gh-button" onClick={tryConnection}>
        {text('lostRetry')}
      </button>
    </div>
  );
}
