import type { ReactNode } from 'react';
import type { Row } from '../../model/index.js';
import { useDesk } from '../form-controller.js';
import { Icon } from '../icon.js';
import { isMissing } from '../edit-mode.js';

/** The most important state of a row besides its value, as icon and word, the worst first. */
export function StateView({ row, id }: { readonly row: Row; readonly id: string }): ReactNode {
  const { labels } = useDesk();
  const [error] = row.errors;
  if (error)
    return (
      <span id={id} className="gf-state gf-error" title={error.message}>
        <Icon name="error" />
        <span className="gf-clip">{error.message}</span>
      </span>
    );
  return (
    <span id={id} className={`gf-state ${toneOf(row)}`}>
      {row.errorsBelow > 0 && (
        <>
          <Icon name="error" />
          {labels.errors(row.errorsBelow)}
        </>
      )}
      {row.errorsBelow === 0 && isMissing(row) && (
        <>
          <Icon name="missing" />
          {labels.missing}
        </>
      )}
      {row.changed && (
        <>
          <Icon name="edited" />
          {labels.edited}
        </>
      )}
      {!row.changed && <span className="gf-heard">{row.filled ? labels.loaded : labels.notSet}</span>}
    </span>
  );
}

function toneOf(row: Row): string {
  if (row.errorsBelow > 0) return 'gf-error';
  if (isMissing(row)) return 'gf-warning';
  return row.changed ? 'gf-edited' : '';
}
