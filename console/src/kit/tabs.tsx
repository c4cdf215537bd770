import type { ReactNode } from 'react';
import { Tab, Tabs as PfTabs, TabTitleText } from '@patternfly/react-core/dist/esm/components/Tabs';
import { useLocation } from 'wouter';
import { useUrlState } from './url-state.js';

export interface TabSpec {
  /** Value in the URL. */
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Renders tabs. The URL contains the key of the current tab (`?tab=`). */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly TabSpec[];
}): ReactNode {
  const preset = tabs[0]?.key ?? '';
  const [{ tab }] = useUrlState({ tab: preset });
  const [path, navigate] = useLocation();
  // URL parameters of the previous tab (search, page) do not apply to the next one.
  const show = (key: string) => navigate(key === preset ? path : `${path}?tab=${key}`, { replace: true });
  return (
    <PfTabs
      aria-label={label}
      activeKey={tab}
      mountOnEnter
      unmountOnExit
      onSelect={(_event, key) => show(String(key))}
    >
      {tabs.map(({ key, title, content }) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          <div className="gh-tab gh-stack">{content}</div>
        </Tab>
      ))}
    </PfTabs>
  );
}
