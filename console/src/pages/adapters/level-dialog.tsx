import { type ReactNode, useState } from 'react';
import { LOG_LEVELS } from '../../api/observe.js';
import { pathOf } from '../../api/request.js';
import { SelectField } from '../../kit/fields.js';
import { RequestDialog } from './request-dialog.js';

const LEVEL_LABELS: Readonly<Record<(typeof LOG_LEVELS)[number], string>> = {
  error: 'error: failures',
  warn: 'warn: also warnings',
  info: 'info: also normal events (default)',
  debug: 'debug: also decisions',
  trace: 'trace: also each request',
  spam: 'spam: everything',
};

const TRANSPORTS = [
  { value: '', label: 'all outputs' },
  { value: 'console', label: 'console' },
  { value: 'file', label: 'file' },
  { value: 'syslog', label: 'syslog' },
] as const;

const DURATIONS = [
  { value: '', label: 'until it is changed' },
  { value: '600', label: '10 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
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
  const options = {
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
        body: { properties: { level, ...options } },
      }}
      name={name}
      onClose={onClose}
    >
      <SelectField
        label="Level"
        value={level}
        onChange={setLevel}
        options={LOG_LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }))}
        help="Applies at once and after restarts. Secrets are never logged."
      />
      <SelectField label="Output" value={transport} onChange={setTransport} options={TRANSPORTS} />
      <SelectField
        label="Duration"
        value={seconds}
        onChange={setSeconds}
        options={DURATIONS}
        help="After this time, the previous level applies again."
      />
    </RequestDialog>
  );
}
