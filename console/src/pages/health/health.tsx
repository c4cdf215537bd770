import type { ReactNode } from 'react';
import type { OverviewReply, TrafficReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { CopyButton } from '../../kit/copy.js';
import { Loading, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { HealthTable } from './health-table.js';
import { Machine } from './machine.js';
import { type ComponentHealth, matrixOf, rowRank, type StatusReply } from './matrix.js';
import { reportOf } from './report.js';

const text = textOf('health');

/** Query for all components: the limit exceeds the size of any installation. */
const ALL_COMPONENTS = '?limit=100000';

interface Components {
  readonly results: readonly ComponentHealth[];
}

/** Reads everything that the matrix needs; `rows` is undefined until all of it has arrived, so that nothing moves. */
function useMatrix() {
  const { may } = useSession();
  const overview = useRead<OverviewReply>('/console/overview');
  const status = useRead<StatusReply>('/health/status', { everyMs: 10_000 });
  const applications = useComponents('getApplicationsHealth', '/health/applications');
  const adapters = useComponents('getAdaptersHealth', '/health/adapters');
  const traffic = useRead<TrafficReply>('/console/traffic?span=24h&limit=200', {
    enabled: may('getTraffic'),
  });
  const rows =
    overview.data && status.data && applications && adapters
      ? matrixOf({
          overview: overview.data,
          status: status.data,
          applications,
          adapters,
          cells: new Map(traffic.data?.adapters.map((one) => [one.name, one.cells])),
          cellMs: (traffic.data?.columnSeconds ?? 0) * 1000,
        }).toSorted((a, b) => rowRank(a) - rowRank(b))
      : undefined;
  const report = () =>
    overview.data && status.data && rows ? reportOf(overview.data, status.data, rows) : '';
  return { overview, status, rows, report };
}

/** Reads components; an empty list if the user may not, undefined before the reply. */
function useComponents(operation: string, path: string): readonly ComponentHealth[] | undefined {
  const { may } = useSession();
  const isAllowed = may(operation);
  const { data, isFetched } = useRead<Components>(`${path}${ALL_COMPONENTS}`, { enabled: isAllowed });
  return isFetched || !isAllowed ? (data?.results ?? []) : undefined;
}

/** Renders the current state of every component and check. */
export function Health(): ReactNode {
  const { may } = useSession();
  const { overview, status, rows, report } = useMatrix();
  return (
    <Page
      title={text('title')}
      lead={overview.data ? <ProblemCount overview={overview.data} /> : text('lead')}
      actions={
        <CopyButton kind="secondary" text={report}>
          {text('copyReport')}
        </CopyButton>
      }
      source={{ path: '/console/overview' }}
    >
      <Read query={overview} what={text('loading')}>
        {() => (
          <Read query={status} what={text('loading')}>
            {() => (rows ? <HealthTable rows={rows} /> : <Loading what={text('loading')} />)}
          </Read>
        )}
      </Read>
      {rows && may('getServerHealth') && may('getSystemHealth') && <Machine />}
      {rows && (
        <details className="gh-fold">
          <summary>{text('reportTitle')}</summary>
          <pre className="gh-code gh-report" tabIndex={0} role="group" aria-label={text('report')}>
            {report()}
          </pre>
        </details>
      )}
    </Page>
  );
}

/** Renders the number of problems, with a link to the only list of them. */
function ProblemCount({ overview }: { readonly overview: OverviewReply }): ReactNode {
  const { problems, problemsLeft } = overview;
  const count = text('problems', { count: problems.length + problemsLeft });
  return (
    <>
      {text('lead')}{' '}
      {rich(text, 'problemsLead', { problems: count, link: (children) => <Link to="/">{children}</Link> })}
    </>
  );
}
