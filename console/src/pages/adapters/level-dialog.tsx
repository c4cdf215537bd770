import { type ReactNode, useState } from 'react';
import { LOG_LEVELS } from '../../api/observe.js';
import { pathOf } from '../../api/request.js';
import { SelectField } from '../../kit/fields.js';
import { RequestDialog } from './request-dialog.js';

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

const TIMES = [
  { value: '', label: 'until another level is set' },
  { value: '600', label: '10 minutes' },
  { value: '3600', label: 'an hour' },
  { value: '86400', label: 'a day' },
] as const;

/** Sets the log level of an adapter, and for how long. */
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
  const [seconds, setSeconds] = useState('');
  const terms = {
    ...(transport !== '' && { transport }),
    ...(seconds !== '' && { seconds: Number(seconds) }),
  };
  return (
    <RequestDialog
      title={`Log level of ${name}`}
      verb="Set level"
      request={{
        method: 'PUT',
        path: pathOf(['adapters', name, 'loglevel']),
        body: { properties: { level, ...terms } },
      }}
      name={name}
      onClose={onClose}
    >
      <SelectField
        label="Lines"
        value={level}
        onChange={setLevel}
        options={LOG_LEVELS.map((value) => ({ value, label: WHAT[value] }))}
        help="Counts at once, over restarts too. Secrets are never written."
      />
      <SelectField label="Written to" value={transport} onChange={setTransport} options={TRANSPORTS} />
      <SelectField
        label="For"
        value={seconds}
        onChange={setSeconds}
        options={TIMES}
        help="Then it goes back to what it was."
      />
    </RequestDialog>
  );
}
