import { type ReactNode, useState } from 'react';
import '../../style/parts.css';
import type { AdapterStatusView, MonitoringIssue, OverviewReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CopyButton } from '../../kit/copy.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Link } from '../../kit/link.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { formatTime } from '../../kit/time.js';
import { formatSpan } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { useNow } from '../../text/use-now.js';
import { ActionDialog } from '../adapters/action-dialog.js';
import { actionsOf } from '../adapters/actions.js';
import { causeOfIssue } from '../adapters/cause.js';
import { TestAll } from '../adapters/test-all.js';
import { TestNow } from '../adapters/test-now.js';
import { callersText, copiedText, sentenceOf } from './issue-text.js';
import { AttentionButtons, AttentionText, useAttention } from './problem-notifications.js';

const text = textOf('problems');

/** Number of problems that are visible at first. */
const MAX_VISIBLE = 5;

interface ProblemListProps {
  /** Worst first. */
  readonly problems: readonly MonitoringIssue[];
  /** Number of problems that the server does not list. */
  readonly unlisted: number;
}

/** Renders the problems that need attention, one for each cause, with the actions that may help. */
export function ProblemList({ problems, unlisted }: ProblemListProps): ReactNode {
  const [isWhole, setWhole] = useState(false);
  if (problems.length === 0)
    return (
      <p className="gh-well">
        <StatusLabel status="good">{text('none')}</StatusLabel>
      </p>
    );
  const shown = isWhole ? problems : problems.slice(0, MAX_VISIBLE);
  const hidden = problems.length - shown.length;
  return (
    <Panel title={text('title', { count: problems.length + unlisted })}>
      <ul className="gh-troubles">
        {shown.map((problem) => (
          <ProblemItem key={`${problem.code} ${problem.cause} ${problem.about.name}`} problem={problem} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button kind="link" onPress={() => setWhole(true)}>
          {text('showAll', { count: hidden })}
        </Button>
      )}
      {hidden === 0 && unlisted > 0 && <p className="gh-quiet">{text('unlisted', { count: unlisted })}</p>}
    </Panel>
  );
}

function ProblemItem({ problem }: { readonly problem: MonitoringIssue }): ReactNode {
  const { severity, since, about, adapters, failedCallsPerMinute: rate } = problem;
  const { data: overview } = useRead<OverviewReply>('/console/overview');
  const cause = causeOfIssue(problem, overview?.adapters ?? []);
  const callers = callersText(problem);
  const attention = useAttention(problem);
  const isQuiet = attention.acknowledgement !== undefined || attention.mute !== undefined;
  const status = severity === 'danger' ? 'bad' : 'warning';
  return (
    <li data-quiet={isQuiet}>
      <StatusLabel status={isQuiet ? 'off' : status}>
        {severity === 'danger' ? text('error') : text('warning')}
      </StatusLabel>
      <div className="gh-trouble-text">
        <Link to={pageOfSubject(about)}>
          <strong>{sentenceOf(problem)}</strong>
        </Link>{' '}
        <span className="gh-wrap">{cause}</span>
        {adapters.length > 1 && <AdapterLinks names={adapters} />}
        <p className="gh-quiet">
          <For since={since} />
          {rate > 0 && <> · {text('failedCalls', { rate })}</>}
          {callers !== undefined && <> · {callers}</>}
        </p>
        <AttentionText {...attention} />
      </div>
      <ProblemActions problem={problem} cause={cause} overview={overview}>
        <AttentionButtons problem={problem} {...attention} />
      </ProblemActions>
    </li>
  );
}

/** Renders the adapters of a group behind a heading, because there may be thousands. */
function AdapterLinks({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <details>
      <summary>{text('showAdapters', { count: names.length })}</summary>
      <ul className="gh-trouble-names">
        {names.map((name) => (
          <li key={name}>
            <Link to={pathOf(['adapters', name])}>{name}</Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ActionsProps {
  readonly problem: MonitoringIssue;
  readonly cause: string;
  readonly overview: OverviewReply | undefined;
  /** More actions, before the last one. */
  readonly children: ReactNode;
}

function ProblemActions({ problem, cause, overview, children }: ActionsProps): ReactNode {
  const { may } = useSession();
  const { adapters, code } = problem;
  const [name] = adapters.length === 1 ? adapters : [];
  const adapter = overview?.adapters.find((one) => one.name === name);
  const logPath = name === undefined ? '/log' : `${pathOf(['adapters', name])}?tab=log`;
  const isTestable = code !== 'adapter-failed';
  const isRefused = code === 'adapter-login-refused';
  return (
    <div className="gh-trouble-actions">
      {isTestable && name !== undefined && <TestNow name={name} kind="link" />}
      {isTestable && adapters.length > 1 && <TestAll names={adapters} />}
      {isRefused && may('getSecrets') && (
        <Link kind="action" to={pathOfSecrets(adapters)}>
          {text('openSecrets')}
        </Link>
      )}
      {may('getLogLines') && (
        <Link kind="action" to={logPath}>
          {text('openLog')}
        </Link>
      )}
      {adapter && <PauseButton adapter={adapter} />}
      {children}
      <CopyButton text={() => copiedText(problem, cause)}>{text('copy')}</CopyButton>
    </div>
  );
}

/** Returns the page with the secrets of an adapter, or with those of all. */
function pathOfSecrets(adapters: readonly string[]): string {
  const [name = ''] = adapters;
  return adapters.length === 1 ? `/secrets?q=${encodeURIComponent(name)}` : '/secrets';
}

/** Renders a button that opens the dialog of the adapters' menu to pause calls. */
function PauseButton({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { may } = useSession();
  const { name } = adapter;
  const pause = actionsOf(adapter).find(({ key, needs }) => key === 'pause' && may(needs));
  if (!pause) return null;
  return (
    <DialogButton kind="link" isSmall label={text('pauseOf', { name })} verb={text('pause')}>
      {(close) => <ActionDialog name={name} action={pause} onClose={close} />}
    </DialogButton>
  );
}

/** Renders how long a problem has lasted: "for 1 min". */
function For({ since }: { readonly since: number }): ReactNode {
  const now = useNow(10_000);
  return (
    <time dateTime={new Date(since).toISOString()} title={formatTime(since)}>
      {text('for', { duration: formatSpan(now - since) })}
    </time>
  );
}

function pageOfSubject({ kind, name }: MonitoringIssue['about']): string {
  if (kind === 'adapter') return name === '' ? '/adapters?state=problem' : pathOf(['adapters', name]);
  return kind === 'secret' ? '/secrets' : '/health';
}
