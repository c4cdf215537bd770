import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react';
import { useLocation } from 'wouter';
import { itemOfKey, ROW_KEYS } from '../text/keys.js';
import { useUrlState } from './url-state.js';

export interface TabSpec {
  /** Value in the URL. */
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

/**
 * Renders tabs. The URL contains the key of the current tab (`?tab=`), and each change is a step of the history. The
 * arrow keys, Home and End select a tab (ARIA Authoring Practices).
 */
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
  const id = useId();
  // On a narrow screen, the selected tab may be outside the scrolled list.
  useEffect(() => {
    const list = document.getElementById(id);
    const selected = list?.querySelector('[role=tab][aria-selected=true]');
    selected?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [id, tab]);
  // URL parameters of the previous tab (search, page) do not apply to the next one.
  const show = (key: string) => {
    if (key !== tab) navigate(key === preset ? path : `${path}?tab=${key}`);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof Element) || !event.target.matches('[role=tab]')) return;
    const at = tabs.findIndex(({ key }) => key === tab);
    const to = itemOfKey(event.key, ROW_KEYS, { at, count: tabs.length });
    const next = to === undefined ? undefined : tabs[to];
    if (!next) return;
    event.preventDefault();
    show(next.key);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]');
    buttons[to ?? 0]?.focus();
  };
  const current = tabs.find(({ key }) => key === tab);
  return (
    <>
      <div id={id} className="gh-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === tab}
            aria-controls={key === tab ? `${id}-panel` : undefined}
            tabIndex={key === tab ? 0 : -1}
            onClick={() => show(key)}
          >
            {title}
          </button>
        ))}
      </div>
      {current && (
        <div
          key={current.key}
          id={`${id}-panel`}
          className="gh-stack"
          role="tabpanel"
          tabIndex={0}
          aria-labelledby={`${id}-${current.key}`}
        >
          {current.content}
        </div>
      )}
    </>
  );
}
