import type { ReactNode } from 'react';
import type { OverviewReply, TrafficReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { CopyButton, RawLinks } from '../../kit/copy.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { ProblemList } from '../overview/issues.js';
import { HealthTable } from './health-table.js';
import { Machine } from './machine.js';
import { type ComponentHealth, matrixOf, rowRank, type StatusReply } from './matrix.js';
import { reportOf } from './report.js';

/** Query for all components: the limit exceeds the size of any installation. */
const ALL_COMPONENTS = '?limit=100000';

interface Components {
  readonly results: readonly ComponentHealth[];
}

/** Renders the current state of every component and check. */
export function Health(): ReactNode {
  const { may } = useSession();
  const overview = useRead<OverviewReply>('/console/overview');
  const status = useRead<StatusReply>('/health/status', { everyMs: 10_000 });
  const applications = useRead<Components>(`/health/applications${ALL_COMPONENTS}`, {
    enabled: may('getApplicationsHealth'),
  });
  const adapters = useRead<Components>(`/health/adapters${ALL_COMPONENTS}`, {
    enabled: may('getAdaptersHealth'),
  });
  const traffic = useRead<TrafficReply>('/console/traffic?span=24h&limit=200', {
    enabled: may('getTraffic'),
  });
  const rows =
    overview.data && status.data
      ? matrixOf({
          overview: overview.data,
          status: status.data,
          applications: applications.data?.results ?? [],
          adapters: adapters.data?.results ?? [],
          cells: new Map(traffic.data?.adapters.map((one) => [one.name, one.cells])),
          cellMs: (traffic.data?.columnSeconds ?? 0) * 1000,
        }).toSorted((a, b) => rowRank(a) - rowRank(b))
      : [];
  const report = () => (overview.data && status.data ? reportOf(overview.data, status.data, rows) : '');
  return (
    <Page
      title="Health"
      lead="Current state of all components and checks."
      actions={
        <>
          <CopyButton text={report}>Copy report</CopyButton>
          <RawLinks path="/console/overview" />
        </>
      }
    >
      <Read query={overview} what="the overview">
        {({ problems, problemsLeft }) => (
          <>
            <ProblemList problems={problems} unlisted={problemsLeft} />
            <Read query={status} what="the services">
              {() => <HealthTable rows={rows} />}
            </Read>
          </>
        )}
      </Read>
      {may('getServerHealth') && may('getSystemHealth') && <Machine />}
      <details className="gh-fold">
        <summary>Report as text</summary>
        <pre className="gh-code gh-report" tabIndex={0} role="group" aria-label="Report">
          {report()}
        </pre>
      </details>
    </Page>
  );
}
