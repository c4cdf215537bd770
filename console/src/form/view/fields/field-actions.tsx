import type { ReactNode } from 'react';
import type { Row } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { Icon } from '../icon.js';
import { actionsOf, type RowAction } from '../row-actions.js';
import { titleOf } from './field-title.js';

/** Actions that are icons beside a label. Lists and containers show the others as buttons with a text. */
const ICON_ACTIONS: ReadonlySet<RowAction['name']> = new Set(['revert', 'duplicate', 'up', 'down', 'remove']);

/** Buttons of a row in fixed places, so that no button moves when another one appears. */
export function FieldActions({ row }: { readonly row: Row }): ReactNode {
  const controller = useFormController();
  const actions = actionsOf(row, controller).filter(
    ({ name }) => ICON_ACTIONS.has(name) || (name === 'json' && row.kind === 'json'),
  );
  if (actions.length === 0) return null;
  return (
    <span className="gf-field-actions">
      {actions.map(({ name, icon, label, run }) => (
        <button
          key={name}
          type="button"
          className="gf-tool"
          data-action={name}
          title={label}
          aria-label={`${label}: ${titleOf(row)}`}
          onClick={() => run(controller)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </span>
  );
}

/** A button with a text for an action of a row, if the row has the action. */
export function TextAction({
  row,
  name,
}: {
  readonly row: Row;
  readonly name: RowAction['name'];
}): ReactNode {
  const controller = useFormController();
  const action = actionsOf(row, controller).find((each) => each.name === name);
  if (!action) return null;
  return (
    <button
      type="button"
      className="gh-button"
      data-action={name}
      {...(name !== 'add' && { 'aria-label': `${action.label}: ${titleOf(row)}` })}
      onClick={() => action.run(controller)}
    >
      <Icon name={action.icon} /> <span dir="auto">{action.label}</span>
    </button>
  );
}
