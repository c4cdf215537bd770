import { type ReactNode, useState } from 'react';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Empty, Failure } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { RowsTable } from '../../kit/rows-table.js';
import type { Column } from '../../kit/table-rows.js';
import { formatTime, Time } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { type MuteView, NOTIFICATIONS_PATH } from './api.js';
import { codeName } from './code-name.js';

const text = textOf('notifications');

/** Renders the mutes that are in force: what, why, by whom and until when. */
export function Mutes({ mutes }: { readonly mutes: readonly MuteView[] }): ReactNode {
  const { may } = useSession();
  const [ending, setEnding] = useState<MuteView>();
  if (mutes.length === 0) return <Empty title={text('noMutes')}>{text('noMutes.help')}</Empty>;
  return (
    <>
      <RowsTable
        label={text('mutes')}
        columns={columns(may('deleteMute') ? setEnding : undefined)}
        rows={mutes.toSorted((one, other) => one.until - other.until)}
        keyOf={({ id }) => id}
      />
      {ending && <EndDialog mute={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function columns(onEnd: ((mute: MuteView) => void) | undefined): readonly Column<MuteView>[] {
  return [
    {
      key: 'muted',
      title: text('muted'),
      cell: ({ kind, name }) => (
        <>
          <span className="gh-quiet">{text(`kind.${kind}`)}</span>{' '}
          {kind === 'adapter' ? (
            <Link to={pathOf(['adapters', name])}>{name}</Link>
          ) : (
            <strong>{kind === 'code' ? codeName(name) : name}</strong>
          )}
        </>
      ),
    },
    { key: 'reason', title: text('reason'), cell: ({ reason }) => <span className="gh-wrap">{reason}</span> },
    {
      key: 'author',
      title: text('author'),
      cell: ({ by, at }) => (
        <>
          {by ?? text('anonymous')}{' '}
          <span className="gh-quiet">
            <Time at={at} />
          </span>
        </>
      ),
    },
    { key: 'until', title: text('ends'), cell: ({ until }) => formatTime(until) },
    ...(onEnd
      ? [
          {
            key: 'end',
            title: text('end'),
            cell: (mute: MuteView) => (
              <Button isSmall label={text('endLabel', { name: mute.name })} onPress={() => onEnd(mute)}>
                {text('end')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}

interface EndDialogProps {
  readonly mute: MuteView;
  readonly onClose: () => void;
}

function EndDialog({ mute: { id, kind, name }, onClose }: EndDialogProps): ReactNode {
  const write = useWrite([NOTIFICATIONS_PATH]);
  const showToast = useToast();
  const shownName = kind === 'code' ? codeName(name) : name;
  const submit = () =>
    write.mutate(
      { method: 'DELETE', path: pathOf(['notifications', 'mutes', id]) },
      {
        onSuccess: () => {
          showToast('success', text('ended', { name: shownName }));
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={text('end.title', { name: shownName })}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="primary" isBusy={write.isPending} onPress={submit}>
          {text('end')}
        </Button>
      }
    >
      <div className="gh-stack">
        <p>{text('end.help')}</p>
        {write.error && <Failure problem={write.error} />}
      </div>
    </Dialog>
  );
}
