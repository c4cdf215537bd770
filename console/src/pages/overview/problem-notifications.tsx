import type { ReactNode } from 'react';
import { muteOf } from '../../../../src/core/notification.js';
import type { MonitoringIssue, OverviewReply } from '../../api/observe.js';
import { useRead, useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { formatTime } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { AcknowledgeDialog, acknowledgementPath } from '../notifications/acknowledge-dialog.js';
import {
  type AcknowledgementView,
  type MuteView,
  NOTIFICATIONS_PATH,
  useNotifications,
} from '../notifications/api.js';
import { MuteDialog } from '../notifications/mute-dialog.js';
import { sentenceOf } from './issue-text.js';

const text = textOf('notifications');

/** Who takes care of a problem, and what silences its notifications. */
interface ProblemAttention {
  readonly acknowledgement: AcknowledgementView | undefined;
  readonly mute: MuteView | undefined;
}

/** Returns the acknowledgement and the mute of a problem. */
export function useAttention(problem: MonitoringIssue): ProblemAttention {
  const { data } = useNotifications();
  const { data: overview } = useRead<OverviewReply>('/console/overview');
  const tagsOf = (name: string) => overview?.adapters.find((one) => one.name === name)?.tags ?? [];
  return {
    acknowledgement: data?.acknowledgements.find((one) => one.problem === problem.id),
    mute: data && muteOf(problem, data.mutes, { now: Date.now(), tagsOf }),
  };
}

/** Renders who acknowledged and who muted a problem. */
export function AttentionText({ acknowledgement, mute }: ProblemAttention): ReactNode {
  return (
    <>
      {acknowledgement && <p className="gh-quiet gh-wrap">{acknowledgementText(acknowledgement)}</p>}
      {mute && (
        <p className="gh-quiet gh-wrap">
          {text('mutedBy', {
            by: mute.by ?? text('anonymous'),
            time: formatTime(mute.until),
            reason: mute.reason,
          })}
        </p>
      )}
    </>
  );
}

function acknowledgementText({ by, at, note }: AcknowledgementView): string {
  const values = { by: by ?? text('anonymous'), time: formatTime(at) };
  return note === '' ? text('acknowledgedBy', values) : text('acknowledgedByNote', { ...values, note });
}

interface ButtonsProps extends ProblemAttention {
  readonly problem: MonitoringIssue;
}

/** Renders the buttons to acknowledge and to mute a problem, for users who may do so. */
export function AttentionButtons({ problem, acknowledgement, mute }: ButtonsProps): ReactNode {
  const { may } = useSession();
  const { id, adapters, code } = problem;
  const sentence = sentenceOf(problem);
  const [adapter] = adapters.length === 1 ? adapters : [];
  return (
    <>
      {!acknowledgement && may('acknowledgeProblem') && (
        <DialogButton
          kind="link"
          isSmall
          label={text('acknowledgeLabel', { problem: sentence })}
          verb={text('acknowledge')}
        >
          {(close) => <AcknowledgeDialog problem={id} sentence={sentence} onClose={close} />}
        </DialogButton>
      )}
      {acknowledgement && may('withdrawAcknowledgement') && <WithdrawButton problem={problem} />}
      {!mute && may('createMute') && (
        <DialogButton
          kind="link"
          isSmall
          label={text('muteLabel', { problem: sentence })}
          verb={text('mute')}
        >
          {(close) => (
            <MuteDialog
              target={
                adapter === undefined ? { kind: 'code', name: code } : { kind: 'adapter', name: adapter }
              }
              onClose={close}
            />
          )}
        </DialogButton>
      )}
    </>
  );
}

function WithdrawButton({ problem }: { readonly problem: MonitoringIssue }): ReactNode {
  const write = useWrite([NOTIFICATIONS_PATH]);
  const showToast = useToast();
  const withdraw = () =>
    write.mutate(
      { method: 'DELETE', path: acknowledgementPath(problem.id) },
      {
        onSuccess: () => showToast('success', text('withdrawn')),
        onError: ({ message }) => showToast('danger', message),
      },
    );
  return (
    <Button
      kind="link"
      isSmall
      isBusy={write.isPending}
      label={text('withdrawLabel', { problem: sentenceOf(problem) })}
      onPress={withdraw}
    >
      {text('withdraw')}
    </Button>
  );
}
