import type { ReactNode } from 'react';
import { SelectField, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';

const text = textOf('history');

/** Reason of a change, and the minutes within which it must be confirmed, as their fields contain them. */
export interface TermsEntry {
  readonly comment: string;
  /** Empty for a permanent change. */
  readonly confirmWithin: string;
}

/** A permanent change without a reason. */
export const NO_TERMS: TermsEntry = { comment: '', confirmWithin: '' };

const MINUTES = [2, 5, 10, 30, 60] as const;

/** Maximum length of a reason, in characters. */
const MAX_COMMENT = 500;

/** Returns whether neither a reason nor a time was entered. */
export function isEmpty({ comment, confirmWithin }: TermsEntry): boolean {
  return comment === '' && confirmWithin === '';
}

/** Returns whether a change can be sent with this reason. */
export function areValid({ comment }: TermsEntry): boolean {
  return Array.from(comment.trim()).length <= MAX_COMMENT;
}

/** Returns the members `comment` and `confirmWithin` of a request; empty fields are left out. */
export function termsOf({ comment, confirmWithin }: TermsEntry): {
  readonly comment?: string;
  readonly confirmWithin?: number;
} {
  return {
    ...(comment.trim() !== '' && { comment: comment.trim() }),
    ...(confirmWithin !== '' && { confirmWithin: Number(confirmWithin) }),
  };
}

interface TermsFieldsProps {
  readonly entry: TermsEntry;
  readonly onChange: (entry: TermsEntry) => void;
  /** False for a change that cannot wait for a confirmation. */
  readonly canWait?: boolean;
}

/** Renders the fields for the reason of a change, and for the time within which it must be confirmed. */
export function TermsFields({ entry, onChange, canWait = true }: TermsFieldsProps): ReactNode {
  return (
    <>
      <TextField
        label={text('reason')}
        value={entry.comment}
        help={text('reason.help')}
        onChange={(comment) => onChange({ ...entry, comment })}
        {...(!areValid(entry) && { error: text('reason.tooLong', { max: MAX_COMMENT }) })}
      />
      {canWait && (
        <SelectField
          label={text('confirmWithin')}
          value={entry.confirmWithin}
          help={text('confirmWithin.help')}
          options={[
            { value: '', label: text('confirmWithin.never') },
            ...MINUTES.map((minutes) => ({
              value: String(minutes),
              label: text('confirmWithin.minutes', { minutes }),
            })),
          ]}
          onChange={(confirmWithin) => onChange({ ...entry, confirmWithin })}
        />
      )}
    </>
  );
}
