import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Actions } from '../../kit/page.js';
import { focusPageHeading } from '../../kit/route-focus.js';
import { formatTime } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { rich } from '../../text/rich.js';
import { formatCountdown } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { useNow } from '../../text/use-now.js';
import {
  CHANGED_PATHS,
  OPERATIONS,
  type PendingChange,
  recordPath,
  type VersionedRecord,
} from './versions.js';

const text = textOf('history');

interface PendingChangeProps {
  readonly record: VersionedRecord & { readonly kind: 'adapter' | 'profile' };
  readonly pending: PendingChange;
  /** True on the page of the record itself. */
  readonly isOwnPage?: boolean;
}

/** Shows a change that waits for its confirmation, the time left, and buttons that confirm or undo it. */
export function PendingChangeNotice({ record, pending, isOwnPage = false }: PendingChangeProps): ReactNode {
  const { may } = useSession();
  const now = useNow(1000);
  const seconds = Math.max(0, Math.ceil((pending.until - now) / 1000));
  const { mutate, error, isPending } = useWrite(CHANGED_PATHS);
  const showToast = useToast();
  const { name } = record;
  const end = (verb: 'confirm' | 'cancel') =>
    mutate(
      { method: 'POST', path: recordPath(record, verb) },
      {
        onSuccess() {
          showToast('success', text(verb === 'confirm' ? 'confirmed' : 'canceled', { name }));
          focusPageHeading();
        },
      },
    );
  const shownName = isOwnPage ? name : <Link to={recordPath(record)}>{name}</Link>;
  return (
    <Notice
      kind="warning"
      title={seconds > 0 ? text('pending.title', { left: formatCountdown(seconds) }) : text('pending.due')}
    >
      <p>
        {rich(text, pending.by === null ? 'pending.server' : 'pending.by', {
          name: () => shownName,
          by: pending.by ?? '',
          time: formatTime(pending.at),
          until: formatTime(pending.until),
        })}{' '}
        {pending.reason !== null && <q>{pending.reason}</q>}
      </p>
      {error && <Failure problem={error} />}
      {may(OPERATIONS[record.kind].confirm) && (
        <Actions>
          <Button kind="primary" isBusy={isPending} onPress={() => end('confirm')}>
            {text('confirm')}
          </Button>
          <Button isDisabled={isPending} onPress={() => end('cancel')}>
            {text('cancel')}
          </Button>
        </Actions>
      )}
    </Notice>
  );
}
