import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { OverviewReply } from '../api/observe.js';
import { useRead } from '../api/queries.js';
import { RETRY_MS, tryConnection, useRetry } from '../api/use-retry.js';
import { useSecondsLeft, useSessionEnded } from '../api/use-session-ended.js';
import { Button } from '../kit/button.js';
import { Notice, SignInAgainLink } from '../kit/feedback.js';
import { Link } from '../kit/link.js';
import { StatusLabel } from '../kit/status.js';
import { sentenceOf } from '../pages/overview/issue-text.js';
import { formatCountdown } from '../text/span.js';
import { textOf } from '../text/text.js';
import { useSession } from './session.js';
import { text } from './shell-text.js';

/** Shows that the server does not answer, tries again, and reads everything again when it answers. */
export function ConnectionLost(): ReactNode {
  const client = useQueryClient();
  const isLost = useRetry(() => void client.invalidateQueries());
  if (!isLost) return null;
  return (
    <div className="gh-banner" role="alert">
      <Notice
        kind="warning"
        title={text('lost.title')}
        actions={
          <Button kind="link" onPress={tryConnection}>
            {text('lost.retry')}
          </Button>
        }
      >
        {text('lost.help', { seconds: RETRY_MS / 1000 })}
      </Notice>
    </div>
  );
}

/** Offers a sign-in in place when the session has ended; the page and what was entered stay. */
export function SessionEnded(): ReactNode {
  const client = useQueryClient();
  const isEnded = useSessionEnded();
  const wasEnded = useRef(false);
  useEffect(() => {
    if (wasEnded.current && !isEnded) void client.invalidateQueries();
    wasEnded.current = isEnded;
  }, [client, isEnded]);
  if (!isEnded) return <SessionEnding />;
  return (
    <div className="gh-banner" role="alert">
      <Notice kind="warning" title={text('ended.title')} actions={<SignInAgainLink />}>
        {text('ended.help')}
      </Notice>
    </div>
  );
}

/** Warns some minutes before the end of a session that cannot be renewed without the person. */
function SessionEnding(): ReactNode {
  const { endsAt } = useSession();
  const seconds = useSecondsLeft(endsAt);
  if (seconds === undefined) return null;
  return (
    <div className="gh-banner">
      <Notice
        kind="info"
        title={text('ending.title', { time: formatCountdown(seconds) })}
        actions={<SignInAgainLink />}
      >
        {text('ending.help')}
      </Notice>
    </div>
  );
}

const problemText = textOf('problems');

/** An empty name leaves out the adapters and their problems. */
const PATH = '/console/overview?adapter=';
/** Pages that read the whole overview anyway. */
const WHOLE: ReadonlySet<string> = new Set(['/', '/adapters']);

/** Renders the problems of the server itself, which concern every page: Vault, the database, the audit trail, certificates. */
export function PlatformProblems(): ReactNode {
  const { may } = useSession();
  const [page] = useLocation();
  const path = WHOLE.has(page) ? '/console/overview' : PATH;
  const { data } = useRead<OverviewReply>(path, { enabled: may('getOverview') });
  const problems = data?.problems.filter(({ about }) => about.kind !== 'adapter') ?? [];
  if (problems.length === 0) return null;
  return (
    <section className="gh-platform" aria-label={problemText('platform')}>
      <ul>
        {problems.map((problem) => (
          <li key={problem.id} data-kind={problem.severity}>
            <StatusLabel status={problem.severity === 'danger' ? 'bad' : 'warning'}>
              {problemText(problem.severity === 'danger' ? 'error' : 'warning')}
            </StatusLabel>
            <Link to={problem.about.kind === 'secret' ? '/secrets' : '/health'}>{sentenceOf(problem)}</Link>
            <span className="gh-quiet">{problem.cause}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
