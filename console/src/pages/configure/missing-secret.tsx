import type { ReactNode } from 'react';
import { Notice } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { missingSecretOf } from './saved-message.js';

const text = textOf('configure');

interface MissingSecretProps {
  /** Why the adapter does not run. */
  readonly cause: string | null;
  /** The settings of the adapter. */
  readonly settings: unknown;
}

/** Names the secret without which an adapter cannot start, and what to do. */
export function MissingSecretNotice({ cause, settings }: MissingSecretProps): ReactNode {
  const missing = missingSecretOf(cause, settings);
  if (!missing) return null;
  const { path, field } = missing;
  const link = (children: ReactNode) => <Link to="/secrets">{children}</Link>;
  return (
    <Notice kind="warning" title={text('missingTitle', { path })}>
      {field === undefined
        ? rich(text, 'missingFix', { link })
        : rich(text, 'missingFieldFix', { field, link })}
    </Notice>
  );
}
