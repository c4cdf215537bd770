import type { ReactNode } from 'react';
import { LOG_LEVELS } from '../../api/observe.js';
import { SelectField, TextField, TimeField } from '../../kit/fields.js';
import { rfc3339 } from '../../kit/time-range.js';
import { textOf } from '../../text/text.js';
import { type ActionTerms, isEndValid, isStartValid, type LevelTerms } from './actions.js';

const text = textOf('actions');

const END_MINUTES = [15, 30] as const;
const END_HOURS = [1, 4, 24] as const;
/** Choice of a time of day as the begin or the end. */
const CLOCK = 'clock';

/** Returns the time an hour after another time; after now if it is empty. */
function hourAfter(time: string): string {
  return rfc3339((time === '' ? Date.now() : Date.parse(time)) + 3_600_000);
}

interface TermsProps<Terms> {
  readonly terms: Terms;
  readonly onChange: (terms: Terms) => void;
}

interface ActionFieldsProps extends TermsProps<ActionTerms> {
  /** True for an action that can begin later and have an end. */
  readonly canEnd: boolean;
}

/** Renders the fields for the begin and the end of an action, and for its reason. */
export function ActionFields({ terms, canEnd, onChange }: ActionFieldsProps): ReactNode {
  const { starts, seconds: end } = terms;
  const isClockTime = end.includes('T');
  return (
    <>
      {canEnd && (
        <SelectField
          label={text('starts')}
          value={starts === '' ? '' : CLOCK}
          options={[
            { value: '', label: text('starts.now') },
            { value: CLOCK, label: text('starts.clock') },
          ]}
          onChange={(next) => onChange({ ...terms, starts: next === '' ? '' : hourAfter('') })}
        />
      )}
      {starts !== '' && (
        <>
          <TimeField
            label={text('starts.at')}
            value={starts}
            onChange={(next) => onChange({ ...terms, starts: next === '' ? hourAfter('') : next })}
          />
          {!isStartValid(terms) && <p role="alert">{text('end.past')}</p>}
        </>
      )}
      {canEnd && (
        <SelectField
          label={text('end')}
          value={isClockTime ? CLOCK : end}
          help={text('end.help')}
          options={[
            { value: '', label: text('end.never') },
            ...END_MINUTES.map((minutes) => ({
              value: String(minutes * 60),
              label: text('end.minutes', { minutes }),
            })),
            ...END_HOURS.map((hours) => ({
              value: String(hours * 3600),
              label: text('end.hours', { hours }),
            })),
            { value: CLOCK, label: text('end.clock') },
          ]}
          onChange={(seconds) =>
            onChange({ ...terms, seconds: seconds === CLOCK ? hourAfter(starts) : seconds })
          }
        />
      )}
      {isClockTime && (
        <>
          <TimeField
            label={text('end.at')}
            value={end}
            onChange={(seconds) =>
              onChange({ ...terms, seconds: seconds === '' ? hourAfter(starts) : seconds })
            }
          />
          {!isEndValid(terms) && <p role="alert">{text(starts === '' ? 'end.past' : 'end.beforeStart')}</p>}
        </>
      )}
      <ReasonField terms={terms} onChange={onChange} />
    </>
  );
}

const OUTPUTS = ['console', 'file', 'syslog'] as const;

/** Renders the fields for a log level: the level, its outputs, for how long, and why. */
export function LevelFields({ terms, onChange }: TermsProps<LevelTerms>): ReactNode {
  return (
    <>
      <SelectField
        label={text('level')}
        value={terms.level}
        onChange={(level) => onChange({ ...terms, level })}
        options={LOG_LEVELS.map((value) => ({ value, label: text(`level.${value}`) }))}
        help={text('level.help')}
      />
      <SelectField
        label={text('output')}
        value={terms.transport}
        onChange={(transport) => onChange({ ...terms, transport })}
        options={[
          { value: '', label: text('output.all') },
          ...OUTPUTS.map((value) => ({ value, label: text(`output.${value}`) })),
        ]}
      />
      <SelectField
        label={text('duration')}
        value={terms.seconds}
        onChange={(seconds) => onChange({ ...terms, seconds })}
        options={[
          { value: '', label: text('duration.never') },
          { value: '600', label: text('end.minutes', { minutes: 10 }) },
          { value: '3600', label: text('end.hours', { hours: 1 }) },
          { value: '86400', label: text('end.hours', { hours: 24 }) },
        ]}
        help={text('duration.help')}
      />
      <ReasonField terms={terms} onChange={({ comment }) => onChange({ ...terms, comment })} />
    </>
  );
}

function ReasonField({ terms, onChange }: TermsProps<ActionTerms>): ReactNode {
  return (
    <TextField
      label={text('reason')}
      value={terms.comment}
      help={text('reason.help')}
      onChange={(comment) => onChange({ ...terms, comment })}
    />
  );
}
