import type { ReactNode } from 'react';
import { type OverviewReply, TRAFFIC_EVENT, type TrafficEvent } from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { withLiveRates } from '../adapters/status.js';
import { ChainDiagram } from './chain-picture.js';
import { ProblemList } from './issues.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { InlineList } from '../../kit/facts.js';
import { Ago } from '../../kit/time.js';

const PATH = '/console/overview';

/** Renders the state of the whole system in one diagram. */
export function Overview(): ReactNode {
  const overview = useRead<OverviewReply>(PATH);
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  return (
    <Page title="Overview" actions={<RawLinks path={PATH} />}>
      <Read query={overview} what="the overview">
        {({ server, adapters, callers, problems, problemsLeft }) => (
          <>
            <ServerSummary server={server} />
            <ProblemList problems={problems} unlisted={problemsLeft} />
            <ChainDiagram
              server={{ ...server, traffic: live ?? server.traffic }}
              adapters={withLiveRates(adapters, live)}
              callers={callers}
            />
          </>
        )}
      </Read>
    </Page>
  );
}

/** Renders version, release, uptime and profile of the server. */
function ServerSummary({ server }: { readonly server: OverviewReply['server'] }): ReactNode {
  const { version, release, since, activeProfile, ready, configurationUpToDate, generation } = server;
  return (
    <InlineList
      label="Server"
      facts={{
        Readiness: (
          <Link to="/health">
            {ready ? (
              <StatusLabel status="good">ready</StatusLabel>
            ) : (
              <StatusLabel status="bad">not ready</StatusLabel>
            )}
          </Link>
        ),
        Configuration: (
          <Link to="/health">
            {configurationUpToDate ? (
              <StatusLabel status="good">up to date</StatusLabel>
            ) : (
              <StatusLabel status="warning">not applied</StatusLabel>
            )}
          </Link>
        ),
        Profile: <Link to="/profiles">{activeProfile ?? 'none active'}</Link>,
        Version: `${version} (${release})`,
        Started: <Ago at={since} />,
        'Configuration loads': generation,
      }}
    />
  );
}
