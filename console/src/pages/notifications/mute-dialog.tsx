import { type ReactNode, useId, useState } from 'react';
import { ISSUE_CODES } from '../../../../src/core/issue.js';
import { MUTE_KINDS, type MuteKind } from '../../../../src/core/notification.js';
import type { OverviewReply } from '../../api/observe.js';
import { useRead, useWrite } from '../../api/queries.js';
import { SubmitButton } from '../../kit/button.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { EntryForm, SelectField, TextField } from '../../kit/fields.js';
import { formatTime } from '../../kit/time.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { type MuteView, NOTIFICATIONS_PATH } from './api.js';
import { codeName } from './code-name.js';

const text = textOf('notifications');

const HOURS = [1, 4, 24] as const;
const DAYS = [7, 30] as const;

/** What a mute names. */
type MuteTarget = Pick<MuteView, 'kind' | 'name'>;

interface MuteDialogProps {
  /** Selected at first; an adapter without a name by default. */
  readonly target?: MuteTarget;
  readonly onClose: () => void;
}

/** Asks what to mute, for how long and why, and creates the mute. */
export function MuteDialog({ target, onClose }: MuteDialogProps): ReactNode {
  const [{ kind, name }, setTarget] = useState<MuteTarget>(target ?? { kind: 'adapter', name: '' });
  const [minutes, setMinutes] = useState('60');
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const form = useId();
  const write = useWrite<{ readonly data: MuteView }>([NOTIFICATIONS_PATH]);
  const showToast = useToast();
  const body = { kind, name: name.trim(), minutes: Number(minutes), reason: reason.trim() };
  const submit = () => {
    setChecked(true);
    if (body.name === '' || body.reason === '') return;
    write.mutate(
      { method: 'POST', path: `${NOTIFICATIONS_PATH}/mutes`, body },
      {
        onSuccess: ({ data: { data } }) => {
          showToast('success', text('mutedUntil', { time: formatTime(data.until) }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={text('muteTitle')}
      isOpen
      onClose={onClose}
      actions={
        <SubmitButton form={form} isBusy={write.isPending}>
          {text('mute')}
        </SubmitButton>
      }
    >
      <EntryForm label={text('muteTitle')} id={form} onSubmit={submit}>
        <p>{text('mute.help')}</p>
        <TargetFields target={{ kind, name }} isChecked={isChecked} onChange={setTarget} />
        <SelectField
          label={text('for')}
          value={minutes}
          options={[
            ...HOURS.map((count) => ({ value: String(count * 60), label: text('for.hours', { count }) })),
            ...DAYS.map((count) => ({ value: String(count * 1440), label: text('for.days', { count }) })),
          ]}
          help={text('until', { time: formatTime(Date.now() + Number(minutes) * 60_000) })}
          onChange={setMinutes}
        />
        <TextField
          label={text('reason')}
          value={reason}
          isRequired
          help={text('reason.help')}
          {...(isChecked && body.reason === '' && { error: text('enterReason') })}
          onChange={setReason}
        />
        {write.error && <Failure problem={write.error} />}
      </EntryForm>
    </Dialog>
  );
}

interface TargetFieldsProps {
  readonly target: MuteTarget;
  /** True if an empty name is an error. */
  readonly isChecked: boolean;
  readonly onChange: (target: MuteTarget) => void;
}

/** Renders the fields for the kind and the name of what is muted. */
function TargetFields({ target: { kind, name }, isChecked, onChange }: TargetFieldsProps): ReactNode {
  const { data: overview } = useRead<OverviewReply>('/console/overview');
  const adapters = overview?.adapters ?? [];
  const choose = (next: string) => {
    const nextKind = next as MuteKind;
    onChange({ kind: nextKind, name: nextKind === 'code' ? ISSUE_CODES[0] : '' });
  };
  return (
    <>
      <SelectField
        label={text('by')}
        value={kind}
        options={MUTE_KINDS.map((value) => ({ value, label: text(`kind.${value}`) }))}
        onChange={choose}
      />
      {kind === 'code' ? (
        <SelectField
          label={text('codeName')}
          value={name}
          help={text('codeName.help')}
          options={ISSUE_CODES.map((value) => ({ value, label: codeName(value) }))}
          onChange={(next) => onChange({ kind, name: next })}
        />
      ) : (
        <TextField
          label={text(`${kind}Name`)}
          value={name}
          isRequired
          help={text(`${kind}Name.help`)}
          suggestions={
            kind === 'adapter'
              ? adapters.map((adapter) => adapter.name)
              : [...new Set(adapters.flatMap(({ tags }) => tags))]
          }
          {...(isChecked && name.trim() === '' && { error: text('enterName') })}
          onChange={(next) => onChange({ kind, name: next })}
        />
      )}
    </>
  );
}
