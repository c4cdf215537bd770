import type { ReactNode } from 'react';
import type { VerificationState } from '../../../../src/features/audit/audit-trail.js';
import { useRead, useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { StatusLabel } from '../../kit/status.js';
import { formatTime } from '../../kit/time.js';
import { textOf } from '../../text/text.js';

const text = textOf('audit');

const PATH = '/audit/verification';

/** Interval between two reads of the progress of a verification, in milliseconds. */
const PROGRESS_MS = 1000;

/** The state of the verification, and how to start one. */
interface Verification {
  readonly state: VerificationState | undefined;
  /** Undefined if the user may not verify the trail. */
  readonly start: (() => void) | undefined;
  readonly failure: ReactNode;
}

/** Reads the state of the verification; repeatedly while one runs. */
export function useVerification(): Verification {
  const { may } = useSession();
  const read = useRead<VerificationState>(PATH, { enabled: may('getVerification') });
  const isRunning = read.data?.running !== undefined;
  // A second reader of the same path: the first one has no interval.
  useRead<VerificationState>(PATH, { enabled: isRunning, everyMs: PROGRESS_MS });
  const write = useWrite<VerificationState>([PATH]);
  const problem = write.error ?? read.error;
  return {
    state: read.data,
    start: may('startVerification') ? () => write.mutate({ method: 'POST', path: PATH }) : undefined,
    failure: problem && <Failure problem={problem} />,
  };
}

/** Renders up to which record the chain was verified, or the progress, on one line with the button. */
export function VerificationLine({ state, start }: Pick<Verification, 'state' | 'start'>): ReactNode {
  if (!state) return text('lead');
  const { running, last } = state;
  return (
    <span className="gh-rates gh-verification" role="status">
      {running ? (
        <StatusLabel status="busy">{text('verifying', { count: running.entries })}</StatusLabel>
      ) : (
        <LastResult last={last} />
      )}
      {start && (
        <Button kind="link" isSmall isBusy={running !== undefined} onPress={start}>
          {text('verify')}
        </Button>
      )}
    </span>
  );
}

function LastResult({ last }: { readonly last: VerificationState['last'] | undefined }): ReactNode {
  if (!last) return <StatusLabel status="off">{text('neverVerified')}</StatusLabel>;
  const { isIntact, last: seq, at } = last;
  const time = formatTime(at);
  if (!isIntact) return <StatusLabel status="bad">{text('notIntact', { time })}</StatusLabel>;
  return (
    <StatusLabel status="good">
      {seq === undefined ? text('verifiedEmpty', { time }) : text('verified', { seq, time })}
    </StatusLabel>
  );
}

/** Renders the first break of the chain, and what to do; nothing for an intact chain. */
export function BrokenChain({ state }: Pick<Verification, 'state'>): ReactNode {
  const { last } = state ?? {};
  if (!last || last.isIntact) return null;
  return (
    <Notice kind="danger" title={text('brokenTitle')}>
      <p>
        <code>{last.outcome}</code>
      </p>
      <p>{text('brokenHelp')}</p>
    </Notice>
  );
}
