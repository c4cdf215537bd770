import type { ReactNode } from 'react';
import type { Rates } from '../../api/observe.js';
import { formatShare } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';

const text = textOf('traffic');

interface ErrorSharesProps {
  readonly rates: Pick<Rates, 'calls' | 'errors' | 'clientErrors'>;
  /** True to leave out a share of errors of zero. */
  readonly isBrief?: boolean;
}

/** Renders the share of failed calls, and of rejected calls if there are any. */
export function ErrorShares({
  rates: { calls, errors, clientErrors },
  isBrief = false,
}: ErrorSharesProps): ReactNode {
  return (
    <>
      {(errors > 0 || !isBrief) && (
        <span data-bad={errors > 0}>{text('errorsOf', { share: formatShare(errors, calls) })}</span>
      )}
      {clientErrors > 0 && (
        <span data-rejected="true">{text('rejectedOf', { share: formatShare(clientErrors, calls) })}</span>
      )}
    </>
  );
}
