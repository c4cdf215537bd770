import type { ReactNode } from 'react';
import '../../style/parts.css';
import type { MonitoringIssue } from '../../api/observe.js';
import { Link } from '../../kit/link.js';
import { amountWords } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';

export interface TroublesProps {
  /** Worst first. */
  readonly problems: readonly MonitoringIssue[];
  /** Number of problems that are not listed. */
  readonly left: number;
}

/** Problems that need attention, each with a link to the page that helps. */
export function Troubles({ problems, left }: TroublesProps): ReactNode {
  if (problems.length === 0)
    return (
      <p className="gh-well">
        <StatusLabel status="good">No problems</StatusLabel>
      </p>
    );
  return (
    <Panel
      title={`Problems (${problems.length + left})`}
      actions={left > 0 && <Link to="/health">{amountWords(left, 'more problem')}</Link>}
    >
      <ul className="gh-troubles">
        {problems.map((trouble) => (
          <TroubleItem
            key={`${trouble.about.kind} ${trouble.about.name} ${trouble.title}`}
            trouble={trouble}
          />
        ))}
      </ul>
    </Panel>
  );
}

function TroubleItem({
  trouble: { severity, title, cause, since, about },
}: {
  readonly trouble: MonitoringIssue;
}) {
  return (
    <li>
      <StatusLabel status={severity === 'danger' ? 'bad' : 'warning'}>
        {severity === 'danger' ? 'error' : 'warning'}
      </StatusLabel>
      <span className="gh-trouble-text">
        <Link to={placeOf(about)}>{about.name === '' ? title : about.name}</Link>{' '}
        <strong>{about.name === '' ? '' : title}</strong> <span>{cause}</span>
      </span>
      <span className="gh-quiet">
        since <Ago at={since} />
      </span>
    </li>
  );
}

function placeOf({ kind, name }: MonitoringIssue['about']): string {
  if (kind === 'adapter') return `/adapters/${encodeURIComponent(name)}`;
  return kind === 'secret' ? '/secrets' : '/health';
}
