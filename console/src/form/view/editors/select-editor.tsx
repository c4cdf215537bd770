import type { ReactNode } from 'react';
import { labelOf } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { DraftErrors, type EditorProps, isWindowBlur, useInitialFocus } from './draft.js';
import { useChosen } from './use-chosen.js';

/**
 * A select for a few values. A value outside the options is an option too, so that it does not change
 * unnoticed.
 */
export function SelectEditor({ row, id, onLeave }: EditorProps): ReactNode {
  const { labels } = useFormController();
  const control = useInitialFocus<HTMLSelectElement>(onLeave !== undefined, undefined);
  const { options, choose } = useChosen(row);
  const isUnlisted = row.filled && !options.some(({ value }) => labelOf(value) === row.text);
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
          if (!isWindowBlur(event)) onLeave?.('away');
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
        {isUnlisted && <option value={row.text}>{row.text}</option>}
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
