import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Menu, type MenuAction } from '../../kit/menu.js';
import { ActionDialog } from './action-dialog.js';
import { type AdapterAction, deedsOf } from './actions.js';
import { LevelDialog } from './level-dialog.js';

export interface AdapterMenuProps {
  readonly adapter: AdapterStatusView;
  /** Text of the button; three dots if absent. */
  readonly title?: string;
  readonly onDeleted?: () => void;
}

/** A menu of the actions that the reader may run in the adapter's current state. */
export function AdapterMenu({ adapter, title, onDeleted }: AdapterMenuProps): ReactNode {
  const { may } = useSession();
  const [asked, ask] = useState<AdapterAction | 'level'>();
  const { name } = adapter;
  const deeds = deedsOf(adapter).filter(({ needs }) => may(needs));
  const deedActions = deeds.map((deed): MenuAction => ({
    key: deed.key,
    title: deed.verb,
    isDangerous: deed.isDangerous,
    onPress: () => ask(deed),
  }));
  const actions: readonly MenuAction[] = [
    ...deedActions.filter(({ key }) => key !== 'delete'),
    ...(may('updateAdapterLogging')
      ? [{ key: 'level', title: 'Set log level', isApart: true, onPress: () => ask('level') }]
      : []),
    ...(may('exportAdapter') ? [exportAction(name)] : []),
    ...deedActions.filter(({ key }) => key === 'delete').map((action) => ({ ...action, isApart: true })),
  ];
  const close = (isDone: boolean) => {
    ask(undefined);
    if (isDone && typeof asked === 'object' && asked.key === 'delete') onDeleted?.();
  };
  return (
    <>
      <Menu label={`Actions for ${name}`} actions={actions} {...(title !== undefined && { title })} />
      {asked === 'level' && <LevelDialog name={name} onClose={() => ask(undefined)} />}
      {typeof asked === 'object' && <ActionDialog name={name} deed={asked} onClose={close} />}
    </>
  );
}

function exportAction(name: string): MenuAction {
  return {
    key: 'export',
    title: 'Export as JSON',
    file: { path: pathOf(['adapters', name, 'export']), name: `${name}.json` },
  };
}
