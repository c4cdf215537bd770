import type { ReactNode } from 'react';
import '../../style/parts.css';
import type { MonitoringIssue } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { formatAmount } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';

export interface ProblemListProps {
  /** Worst first. */
  readonly problems: readonly MonitoringIssue[];
  /** Number of problems that are not listed. */
  readonly unlisted: number;
}

/** Renders the problems that need attention, each with a link to the page of its subject. */
export function ProblemList({ problems, unlisted }: ProblemListProps): ReactNode {
  if (problems.length === 0)
    return (
      <p className="gh-well">
        <StatusLabel status="good">No problems</StatusLabel>
      </p>
    );
  return (
    <Panel
      title={`Problems (${problems.length + unlisted})`}
      actions={unlisted > 0 && <Link to="/health">{formatAmount(unlisted, 'more problem')}</Link>}
    >
      <ul className="gh-troubles">
        {problems.map((problem) => (
          <ProblemItem
            key={`${problem.about.kind} ${problem.about.name} ${problem.title}`}
            problem={problem}
          />
        ))}
      </ul>
    </Panel>
  );
}

function ProblemItem({
  problem: { severity, title, cause, since, about },
}: {
  readonly problem: MonitoringIssue;
}) {
  return (
    <li>
      <StatusLabel status={severity === 'danger' ? 'bad' : 'warning'}>
        {severity === 'danger' ? 'error' : 'warning'}
      </StatusLabel>
      <span className="gh-trouble-text">
        <Link to={pageOfSubject(about)}>{about.name === '' ? title : about.name}</Link>{' '}
        <strong>{about.name === '' ? '' : title}</strong> <span>{cause}</span>
      </span>
      <span className="gh-quiet">
        since <Ago at={since} />
      </span>
    </li>
  );
}

function pageOfSubject({ kind, name }: MonitoringIssue['about']): string {
  if (kind === 'adapter') return `/adapters/${encodeURIComponent(name)}`;
  return kind === 'secret' ? '/secrets' : '/health';
}
