import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { labelOf } from '../../model/index.js';
import { afterPress } from '../after-press.js';
import { optionLabel } from '../shown-text.js';
import { describedBy, DraftErrors, type EditorProps, isWindowBlur, useInitialFocus } from './draft.js';
import { useChosen } from './use-chosen.js';

const formText = textOf('form');

/**
 * A select for a few values. A value outside the options is an option too, so that it does not change
 * unnoticed.
 */
export function SelectEditor({ row, id, notesId, onLeave }: EditorProps): ReactNode {
  const control = useInitialFocus<HTMLSelectElement>(onLeave !== undefined, undefined);
  const { options, choose } = useChosen(row);
  const isUnlisted = row.filled && !options.some(({ value }) => labelOf(value) === row.text);
  return (
    <span className="gf-editor">
      <select
        ref={control}
        id={id}
        className="gh-input gf-input"
        value={row.text}
        {...(onLeave && { 'aria-label': row.title })}
        aria-invalid={row.errors.length > 0}
        aria-required={row.required}
        aria-describedby={describedBy({ id, notesId })}
        onChange={(event) => choose(event.currentTarget.value)}
        onBlur={(event) => {
          if (!isWindowBlur(event)) afterPress(() => onLeave?.('away'));
        }}
        onKeyDown={(event) => {
          const isTab = event.key === 'Tab';
          if (!onLeave || (!isTab && event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          if (isTab) onLeave(event.shiftKey ? 'previous' : 'next');
          else onLeave('stay');
        }}
      >
        <option value="">{formText('unset')}</option>
        {isUnlisted && <option value={row.text}>{row.text}</option>}
        {options.map((option) => (
          <option key={labelOf(option.value)} value={labelOf(option.value)}>
            {optionLabel(option)}
          </option>
        ))}
      </select>
      <DraftErrors id={`${id}-errors`} errors={row.errors} />
    </span>
  );
}
