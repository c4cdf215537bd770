import type { AdapterStatusView } from '../../api/observe.js';
import type { TabSpec } from '../../kit/tabs.js';
import { CallsTab } from './calls-tab.js';
import { ChangesTab } from './changes-tab.js';
import { ConfigurationTab } from './configuration-tab.js';
import { LogTab } from './log-tab.js';
import { OverviewTab } from './overview-tab.js';
import { TryTab } from './try-tab.js';

/** Returns the tabs of an adapter's page that the reader may open. */
export function adapterTabs(
  adapter: AdapterStatusView,
  may: (operation: string) => boolean,
): readonly TabSpec[] {
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
