import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Menu, type MenuAction } from '../../kit/menu.js';
import { textOf } from '../../text/text.js';
import { ActionDialog } from './action-dialog.js';
import { actionsOf, type AdapterAction, isTestable } from './actions.js';
import { LevelDialog } from './level-dialog.js';
import { useTestNow } from './test-now.js';

const text = textOf('status');
const actionText = textOf('actions');

interface AdapterMenuProps {
  readonly adapter: AdapterStatusView;
  /** Text of the button; three dots if absent. */
  readonly title?: string;
  readonly onDeleted?: () => void;
}

/** Renders a menu of the actions that the reader may run in the adapter's current state. */
export function AdapterMenu({ adapter, title, onDeleted }: AdapterMenuProps): ReactNode {
  const { may } = useSession();
  const [opened, open] = useState<AdapterAction | 'level'>();
  const { name } = adapter;
  const connection = useTestNow(name);
  const permitted = actionsOf(adapter).filter(({ needs }) => may(needs));
  const menuActions = permitted.map((action): MenuAction => ({
    key: action.key,
    title: action.menuTitle ?? action.verb,
    isDangerous: action.isDangerous,
    onPress: () => open(action),
  }));
  const actions: readonly MenuAction[] = [
    ...(connection && isTestable(adapter)
      ? [{ key: 'test', title: text('testNow'), onPress: connection.test }]
      : []),
    ...menuActions.filter(({ key }) => key !== 'delete'),
    ...(may('updateAdapterLogging')
      ? [{ key: 'level', title: actionText('setLevel'), isApart: true, onPress: () => open('level') }]
      : []),
    ...(may('exportAdapter') ? [exportAction(name)] : []),
    ...menuActions.filter(({ key }) => key === 'delete').map((action) => ({ ...action, isApart: true })),
  ];
  const close = (isDone: boolean) => {
    open(undefined);
    if (isDone && typeof opened === 'object' && opened.key === 'delete') onDeleted?.();
  };
  return (
    <>
      <Menu
        label={actionText('actionsFor', { name })}
        actions={actions}
        {...(title !== undefined && { title })}
      />
      {opened === 'level' && <LevelDialog name={name} onClose={() => open(undefined)} />}
      {typeof opened === 'object' && <ActionDialog name={name} action={opened} onClose={close} />}
    </>
  );
}

function exportAction(name: string): MenuAction {
  return {
    key: 'export',
    title: actionText('exportJson'),
    file: { path: pathOf(['adapters', name, 'export']), name: `${name}.json` },
  };
}
