import type { ReactNode } from 'react';
import { type OverviewReply, TRAFFIC_EVENT, type TrafficEvent } from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { InlineList } from '../../kit/facts.js';
import { Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { withLiveRates } from '../adapters/status.js';
import { TagGroups } from '../adapters/tag-groups.js';
import { PendingChanges } from '../history/pending-changes.js';
import { ChainDiagram, type ChainDiagramProps } from './chain-picture.js';
import { FirstSteps } from './first-steps-panel.js';
import { ProblemList } from './issues.js';
import { TrafficOverview } from './traffic-overview.js';

const text = textOf('overview');

const PATH = '/console/overview';

/** Renders the state of the whole system in one diagram, and its traffic over time. */
export function Overview(): ReactNode {
  const { may } = useSession();
  const overview = useRead<OverviewReply>(PATH);
  return (
    <Page title={text('title')} source={{ path: PATH }}>
      {overview.data && <PendingChanges server={overview.data.server} adapters={overview.data.adapters} />}
      <FirstSteps />
      <Read query={overview} what={text('what')}>
        {({ server, adapters, callers, problems, problemsLeft }) => (
          <>
            <ServerSummary server={server} />
            <ProblemList problems={problems} unlisted={problemsLeft} />
            <TagGroups adapters={adapters} />
            <LiveDiagram server={server} adapters={adapters} callers={callers} />
            {may('getTraffic') && adapters.length > 0 && <TrafficOverview />}
          </>
        )}
      </Read>
    </Page>
  );
}

/** Renders the diagram with the latest rates. It alone is rendered again every two seconds. */
function LiveDiagram({ server, adapters, callers }: ChainDiagramProps): ReactNode {
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  return (
    <ChainDiagram
      server={{ ...server, traffic: live ?? server.traffic }}
      adapters={withLiveRates(adapters, live)}
      callers={callers}
    />
  );
}

/** Renders version, release, uptime and profile of the server. */
function ServerSummary({ server }: { readonly server: OverviewReply['server'] }): ReactNode {
  const { version, release, since, activeProfile, ready, configurationUpToDate, generation } = server;
  return (
    <InlineList
      label={text('server')}
      facts={{
        [text('readiness')]: (
          <Link to="/health">
            {ready ? (
              <StatusLabel status="good">{text('ready')}</StatusLabel>
            ) : (
              <StatusLabel status="bad">{text('notReady')}</StatusLabel>
            )}
          </Link>
        ),
        [text('configuration')]: (
          <Link to="/health">
            {configurationUpToDate ? (
              <StatusLabel status="good">{text('upToDate')}</StatusLabel>
            ) : (
              <StatusLabel status="warning">{text('notApplied')}</StatusLabel>
            )}
          </Link>
        ),
        [text('profile')]: <Link to="/profiles">{activeProfile ?? text('noProfile')}</Link>,
        [text('version')]: text('versionOf', { version, release }),
        [text('started')]: <Time show="both" at={since} />,
        [text('reloads')]: generation,
      }}
    />
  );
}
