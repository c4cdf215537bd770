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
  return (
    <RequestDialog
      title={`Log level of ${name}`}
      verb="Set level"
      request={{
        method: 'PUT',
        path: pathOf(['adapters', name, 'loglevel']),
        body: { properties: { level, ...(transport !== '' && { transport }) } },
      }}
      name={name}
      onClose={onClose}
    >
      <SelectField
        label="Lines"
        value={level}
        onChange={setLevel}
        options={LOG_LEVELS.map((value) => ({ value, label: WHAT[value] }))}
        help="Counts at once and until another level is set, over restarts too. Secrets are never written."
      />
      <SelectField label="Written to" value={transport} onChange={setTransport} options={TRANSPORTS} />
    </RequestDialog>
  );
}
