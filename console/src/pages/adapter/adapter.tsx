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
import { leaveUnasked } from '../../kit/leaving.js';
import { Link } from '../../kit/link.js';
import { Page } from '../../kit/page.js';
import { Tabs, type TabSpec } from '../../kit/tabs.js';
import { useUrlState } from '../../kit/url-state.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { AdapterMenu } from '../adapters/adapter-menu.js';
import { withLiveRates } from '../adapters/status.js';
import { TestNow } from '../adapters/test-now.js';
import { PendingChangeNotice } from '../history/pending-change.js';
import { DeletedRecord } from '../history/removed-records.js';
import { CallsTab } from './calls-tab.js';
import { changelogsPath, ChangesTab } from './changes-tab.js';
import { ConfigurationTab } from './configuration-tab.js';
import { AdapterHistoryTab } from './history-tab.js';
import { LogTab } from './log-tab.js';
import { OverviewTab } from './overview-tab.js';
import { TryTab } from './try-tab.js';

const text = textOf('adapter');
const historyText = textOf('history');
const actionText = textOf('actions');

/** Tabs that have links to their own data, so that a page has one set of them. */
const TABS_WITH_LINKS: ReadonlySet<string> = new Set(['log', 'calls', 'try', 'history']);

/** Renders the page of an adapter: state, history, configuration, log, and test requests. */
export function AdapterPage(): ReactNode {
  const { name } = useParams<{ name: string }>();
  const { may } = useSession();
  const [, navigate] = useLocation();
  const [{ tab }] = useUrlState({ tab: '' });
  const overview = useRead<OverviewReply>(pathOf(['console', 'overview'], { adapter: name }));
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  const adapter = withLiveRates(overview.data?.adapters ?? [], live).find((one) => one.name === name);
  return (
    <Page
      title={name}
      lead={
        adapter ? (
          rich(text, 'lead', { model: adapter.model, link: linkToAdapters })
        ) : (
          <Link to="/adapters">{text('adapters')}</Link>
        )
      }
      actions={
        <>
          {adapter && !['STOPPED', 'DEAD'].includes(adapter.state) && <TestNow name={name} />}
          {adapter && (
            <AdapterMenu
              adapter={adapter}
              title={actionText('actions')}
              onDeleted={() => leaveUnasked(() => navigate('/adapters', { replace: true }))}
            />
          )}
        </>
      }
      {...(!TABS_WITH_LINKS.has(tab) && {
        source: { path: tab === 'changes' ? changelogsPath(name) : pathOf(['adapters', name]) },
      })}
    >
      <Read query={overview} what={text('what', { name })}>
        {() =>
          adapter ? (
            <>
              {adapter.pending && (
                <PendingChangeNotice record={{ kind: 'adapter', name }} pending={adapter.pending} isOwnPage />
              )}
              <Tabs label={text('tabs', { name })} tabs={adapterTabs(adapter, may)} />
            </>
          ) : (
            <DeletedRecord record={{ kind: 'adapter', name }}>
              <Empty title={text('notFound', { name })}>
                {rich(text, 'notFound.help', { link: linkToAdapters })}
              </Empty>
            </DeletedRecord>
          )
        }
      </Read>
    </Page>
  );
}

function linkToAdapters(children: ReactNode): ReactNode {
  return <Link to="/adapters">{children}</Link>;
}

/** Returns the tabs of an adapter's page that the reader may open. */
function adapterTabs(adapter: AdapterStatusView, may: (operation: string) => boolean): readonly TabSpec[] {
  const { name } = adapter;
  const all: readonly (TabSpec & { readonly needs: readonly string[] })[] = [
    { key: 'overview', title: text('overview'), needs: [], content: <OverviewTab adapter={adapter} /> },
    {
      key: 'try',
      title: text('try'),
      needs: ['restQuery', 'restAction', 'callAdapterMethod'],
      content: <TryTab adapter={adapter} />,
    },
    {
      key: 'configuration',
      title: text('configuration'),
      needs: ['getAdapter'],
      content: <ConfigurationTab adapter={adapter} />,
    },
    {
      key: 'history',
      title: historyText('tab'),
      needs: ['getAdapterHistory'],
      content: <AdapterHistoryTab adapter={adapter} />,
    },
    { key: 'log', title: text('log'), needs: ['getLogLines'], content: <LogTab name={name} /> },
    { key: 'calls', title: text('calls'), needs: ['getCalls'], content: <CallsTab name={name} /> },
    {
      key: 'changes',
      title: historyText('releaseNotes'),
      needs: ['getAdapterChangelogs'],
      content: <ChangesTab name={name} model={adapter.model} />,
    },
  ];
  return all.filter(({ needs }) => needs.length === 0 || needs.some(may));
}
