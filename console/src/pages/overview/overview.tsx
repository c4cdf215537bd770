import type { ReactNode } from 'react';
import { type OverviewReply, TRAFFIC_EVENT, type TrafficEvent } from '../../api/observe.js';
import { useKept, useRead } from '../../api/queries.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/raw-links.js';
import { withLiveRates } from '../adapters/status.js';
import { Chain } from './chain-picture.js';
import { ServerSummary } from './server-summary.js';
import { Troubles } from './issues.js';

const PATH = '/console/overview';

/** The state of the whole system in one diagram. */
export function Overview(): ReactNode {
  const overview = useRead<OverviewReply>(PATH);
  const { data: live } = useKept<TrafficEvent>(TRAFFIC_EVENT);
  return (
    <Page title="Overview" actions={<RawLinks path={PATH} />}>
      <Read query={overview} what="the overview">
        {({ server, adapters, callers, problems, problemsLeft }) => (
          <>
            <ServerSummary server={server} />
            <Troubles problems={problems} left={problemsLeft} />
            <Chain
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
