import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { OverviewReply } from '../api/observe.js';
import { useRead } from '../api/queries.js';
import { Link } from '../kit/link.js';
import { StatusLabel } from '../kit/status.js';
import { sentenceOf } from '../pages/overview/issue-text.js';
import { textOf } from '../text/text.js';
import { useSession } from './session.js';

const text = textOf('problems');

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
    <section className="gh-platform" aria-label={text('platform')}>
      <ul>
        {problems.map((problem) => (
          <li key={problem.id} data-kind={problem.severity}>
            <StatusLabel status={problem.severity === 'danger' ? 'bad' : 'warning'}>
              {text(problem.severity === 'danger' ? 'error' : 'warning')}
            </StatusLabel>
            <Link to={problem.about.kind === 'secret' ? '/secrets' : '/health'}>{sentenceOf(problem)}</Link>
            <span className="gh-quiet">{problem.cause}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
