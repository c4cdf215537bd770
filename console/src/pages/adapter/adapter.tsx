import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import {
  type AdapterStatusView,
  type OverviewReply,
  TRAFFIC_EVENT,
  type TrafficEvent,
} from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/copy.js';
import { Tabs, type TabSpec } from '../../kit/tabs.js';
import { useUrlState } from '../../kit/url-state.js';
import { AdapterMenu } from '../adapters/adapter-menu.js';
import { TestNow } from '../adapters/test-now.js';
import { withLiveRates } from '../adapters/status.js';
import { CallsTab } from './calls-tab.js';
import { ChangesTab } from './changes-tab.js';
import { ConfigurationTab } from './configuration-tab.js';
import { LogTab } from './log-tab.js';
import { OverviewTab } from './overview-tab.js';
import { TryTab } from './try-tab.js';

/** Tabs that have links to their own data, so that a page has one set of them. */
const TABS_WITH_LINKS: ReadonlySet<string> = new Set(['log', 'calls', 'try']);

/** Renders the page of an adapter: state, history, configuration, log, and test requests. */
export function AdapterPage(): ReactNode {
  const { name } = useParams<{ name: string }>();
  const { may } = useSession();
  const [, navigate] = useLocation();
  const [{ tab }] = useUrlState({ tab: '' });
  const overview = useRead<OverviewReply>('/console/overview');
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
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
          {!TABS_WITH_LINKS.has(tab) && <RawLinks path={pathOf(['adapters', name])} />}
          {adapter && !['STOPPED', 'DEAD'].includes(adapter.state) && <TestNow name={name} />}
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

/** Returns the tabs of an adapter's page that the reader may open. */
function adapterTabs(adapter: AdapterStatusView, may: (operation: string) => boolean): readonly TabSpec[] {
  const { name } = adapter;
  const all: readonly (TabSpec & { readonly needs: readonly string[] })[] = [
    { key: 'overview', title: 'Overview', needs: [], content: <OverviewTab adapter={adapter} /> },
    { key: 'try', title: 'Try', needs: ['restQuery', 'restAction'], content: <TryTab name={name} /> },
    {
      key: 'configuration',
      title: 'Configuration',
      needs: ['getAdapter'],
      content: <ConfigurationTab adapter={adapter} />,
    },
    { key: 'log', title: 'Log', needs: ['getLogLines'], content: <LogTab name={name} /> },
    { key: 'calls', title: 'Calls', needs: ['getCalls'], content: <CallsTab name={name} /> },
    {
      key: 'changes',
      title: 'Change log',
      needs: ['getAdapterChangelogs'],
      content: <ChangesTab name={name} model={adapter.model} />,
    },
  ];
  return all.filter(({ needs }) => needs.length === 0 || needs.some(may));
}
