import { type ReactNode, useState } from 'react';
import { LOG_LEVELS } from '../../api/observe.js';
import { useWrite } from '../../api/queries.js';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { SelectField } from '../../kit/fields.js';
import { useSay } from '../../kit/toasts.js';
import { ADAPTER_PATHS } from './deed-dialog.js';

const WHAT: Readonly<Record<(typeof LOG_LEVELS)[number], string>> = {
  error: 'error: what failed',
  warn: 'warn: and what needs care',
  info: 'info: and what happens (usual)',
  debug: 'debug: and how it is decided',
  trace: 'trace: and each request',
  spam: 'spam: everything',
};

const TRANSPORTS = [
  { value: '', label: 'everywhere' },
  { value: 'console', label: 'console' },
  { value: 'file', label: 'file' },
  { value: 'syslog', label: 'syslog' },
] as const;

/** Chooses which lines an adapter writes. */
export function LevelDialog({
  name,
  level: preset = 'info',
  onClose,
}: {
  readonly name: string;
  readonly level?: string;
  readonly onClose: () => void;
}): ReactNode {
  const [level, setLevel] = useState(preset);
  const [transport, setTransport] = useState('');
  const write = useWrite<{ readonly message: string }>(ADAPTER_PATHS);
  const say = useSay();
  const request: ApiRequest = {
    method: 'PUT',
    path: pathOf(['adapters', name, 'loglevel']),
    body: { properties: { level, ...(transport !== '' && { transport }) } },
  };
  const act = () =>
    write.mutate(request, {
      onSuccess: ({ data: { message } }) => {
        say('success', message);
        onClose();
      },
    });
  return (
    <Dialog
      title={`Log level of ${name}`}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="primary" isBusy={write.isPending} onPress={act}>
          Set level
        </Button>
      }
    >
      <div className="gh-stack">
        <SelectField
          label="Lines"
          value={level}
          onChange={setLevel}
          options={LOG_LEVELS.map((value) => ({ value, label: WHAT[value] }))}
          help="Counts at once and until another level is set, over restarts too. Secrets are never written."
        />
        <SelectField label="Written to" value={transport} onChange={setTransport} options={TRANSPORTS} />
        {write.error && <Failure problem={write.error} />}
        <p>
          <CopyAsCurl wanted={request} />
        </p>
      </div>
    </Dialog>
  );
}
