import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Menu } from '../../kit/menu.js';
import { textOf } from '../../text/text.js';
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.js';
import { BULK_ACTS, type BulkAct, isApplicable, OPERATION_OF } from './bulk.js';

const text = textOf('bulk');

interface BulkActionsProps {
  /** Adapters that match the filters and the search; actions never change others. */
  readonly adapters: readonly AdapterStatusView[];
  /** Number of all adapters. */
  readonly total: number;
  readonly picked: ReadonlySet<string>;
  readonly onPick: (picked: ReadonlySet<string>) => void;
}

/** Returns true if the user may run an action on several adapters. */
export function useMayAct(): boolean {
  const { may } = useSession();
  return BULK_ACTS.some((act) => may(OPERATION_OF[act]));
}

/** Renders the number of selected adapters and the menu of the actions on them. */
export function BulkActions({ adapters, total, picked, onPick }: BulkActionsProps): ReactNode {
  const { may } = useSession();
  const [opened, open] = useState<Omit<BulkDialogProps, 'onClose'>>();
  const chosen = adapters.filter(({ name }) => picked.has(name));
  const isAll = chosen.length === adapters.length && chosen.length > 0;
  const allowed = BULK_ACTS.filter((one) => may(OPERATION_OF[one]));
  // The adapters are those at the time of the choice: the list changes while the dialog is open.
  const openDialog = (act: BulkAct): void => {
    const applies = (adapter: AdapterStatusView): boolean => isApplicable(act, adapter);
    const skipped = chosen.filter((adapter) => !applies(adapter)).map(({ name }) => name);
    open({ act, adapters: chosen.filter(applies), skipped });
  };
  return (
    <div className="gh-bulk">
      <Button
        kind="link"
        isSmall
        onPress={() => onPick(new Set(isAll ? [] : adapters.map(({ name }) => name)))}
      >
        {isAll
          ? text('clear')
          : text(adapters.length < total ? 'selectShown' : 'selectAll', { count: adapters.length })}
      </Button>
      <span className="gh-quiet" role="status">
        {chosen.length > 0 ? text('selected', { count: chosen.length }) : ''}
      </span>
      {chosen.length > 0 && (
        <Menu
          label={text('menuLabel')}
          title={text('menu')}
          kind="primary"
          side="start"
          actions={allowed.map((one) => ({
            key: one,
            title: text(one),
            isDangerous: one === 'stop',
            isApart: one === 'level',
            onPress: () => openDialog(one),
          }))}
        />
      )}
      {opened && <BulkDialog {...opened} onClose={() => open(undefined)} />}
    </div>
  );
}
