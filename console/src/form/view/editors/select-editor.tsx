import type { ReactNode } from 'react';
import { labelOf } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { DraftErrors, type EditorProps, isElsewhere, useEntry } from './draft.js';
import { useChosen } from './use-chosen.js';

/**
 * Selects one of a few values. A value outside the options is shown too, so that it does not change
 * unnoticed.
 */
export function SelectEditor({ row, id, onLeave }: EditorProps): ReactNode {
  const { labels } = useDesk();
  const control = useEntry<HTMLSelectElement>(onLeave !== undefined, undefined);
  const { options, choose } = useChosen(row);
  const isStrange = row.filled && !options.some(({ value }) => labelOf(value) === row.text);
  return (
    <span className="gf-editor">
      <select
        ref={control}
        id={id}
        className="gf-input"
        value={row.text}
        {...(onLeave && { 'aria-label': row.title })}
        aria-invalid={row.errors.length > 0}
        aria-required={row.required}
        aria-describedby={`${id}-errors`}
        onChange={(event) => choose(event.currentTarget.value)}
        onBlur={(event) => {
          if (!isElsewhere(event)) onLeave?.('away');
        }}
        onKeyDown={(event) => {
          const isTab = event.key === 'Tab';
          if (!onLeave || (!isTab && event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          if (isTab) onLeave(event.shiftKey ? 'previous' : 'next');
          else onLeave('stay');
        }}
      >
        <option value="">{labels.unset}</option>
        {isStrange && <option value={row.text}>{row.text}</option>}
        {options.map(({ value, label }) => (
          <option key={labelOf(value)} value={labelOf(value)}>
            {label}
          </option>
        ))}
      </select>
      <DraftErrors id={`${id}-errors`} errors={onLeave ? row.errors : []} />
    </span>
  );
}
