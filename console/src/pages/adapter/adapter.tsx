import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { type OverviewReply, TRAFFIC_EVENT, type TrafficEvent } from '../../api/observe.js';
import { useKept, useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/raw-links.js';
import { Tabs } from '../../kit/tabs.js';
import { AdapterMenu } from '../adapters/adapter-menu.js';
import { withLiveRates } from '../adapters/status.js';
import { adapterTabs } from './adapter-tabs.js';

/** The page of an adapter: state, history, configuration, log, and test requests. */
export function AdapterPage(): ReactNode {
  const { name } = useParams<{ name: string }>();
  const { may } = useSession();
  const [, navigate] = useLocation();
  const overview = useRead<OverviewReply>('/console/overview');
  const { data: live } = useKept<TrafficEvent>(TRAFFIC_EVENT);
  const adapter = withLiveRates(overview.data?.adapters ?? [], live).find((one) => one.name === name);
  return (
    <Page
      title={name}
      lead={
        <>
          <Link to="/adapters">Adapters</Link>
          {adapter && ` / ${adapter.model}`}
        </>
      }
      actions={
        <>
          <RawLinks path={pathOf(['adapters', name])} />
          {adapter && (
            <AdapterMenu
              adapter={adapter}
              title="Actions"
              onDeleted={() => navigate('/adapters', { replace: true })}
            />
          )}
        </>
      }
    >
      <Read query={overview} what={`the adapter ${name}`}>
        {() =>
          adapter ? (
            <Tabs label={`Parts of ${name}`} tabs={adapterTabs(adapter, may)} />
          ) : (
            <Empty title={`Adapter ${name} not found`}>
              The adapter may have been deleted. See <Link to="/adapters">all adapters</Link>.
            </Empty>
          )
        }
      </Read>
    </Page>
  );
}
