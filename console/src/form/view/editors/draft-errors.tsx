import type { ReactNode } from 'react';
import type { RowError } from '../../model/index.js';

/** Shows the errors of the edited text below it. */
export function DraftErrors({
  id,
  errors,
}: {
  readonly id: string;
  readonly errors: readonly RowError[];
}): ReactNode {
  return (
    <span id={id} className="gf-draft-errors">
      {errors.map(({ message }) => (
        <span key={message} className="gf-error">
          {message}
        </span>
      ))}
    </span>
  );
}
