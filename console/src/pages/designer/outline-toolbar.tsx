import type { ReactNode } from 'react';
import { placeOf } from '../../design/field-location.js';
import { moveField, type MoveDirection } from '../../design/move-field.js';
import { Button } from '../../kit/button.js';
import { Menu } from '../../kit/menu.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';
import type { FieldActions } from './use-field-actions.js';

const text = textOf('designer');

const MOVES = [
  ['up', '↑', 'moveUp'],
  ['down', '↓', 'moveDown'],
  ['into', '→', 'moveInto'],
  ['out', '←', 'moveOut'],
] as const satisfies readonly (readonly [MoveDirection, string, string])[];

interface OutlineToolbarProps {
  readonly design: Design;
  readonly actions: FieldActions;
  readonly isListOpen: boolean;
  /** Opens or closes the list of types. */
  readonly onList: () => void;
}

/** Renders the tools of the outline in one row: add, move, and a menu with the other actions on a field. */
export function OutlineToolbar(props: OutlineToolbarProps): ReactNode {
  const { design, actions, isListOpen, onList } = props;
  const { draft, selected } = design;
  const isField = placeOf(selected) !== undefined;
  return (
    <div className="gh-pane-head gh-pane-tools" role="toolbar" aria-label={text('fields')}>
      <Button kind={isListOpen ? 'secondary' : 'primary'} isSmall onPress={onList}>
        {text('addField')}
      </Button>
      {MOVES.map(([direction, icon, label]) => (
        <Button
          key={direction}
          kind="plain"
          isSmall
          label={text(label)}
          isDisabled={!isField || 'why' in moveField(draft, selected, direction)}
          onPress={() => actions.move(direction)}
        >
          {icon}
        </Button>
      ))}
      <FieldMenu actions={actions} isField={isField} canRemove={selected !== ''} />
    </div>
  );
}

/** The field that was copied last, for browsers that do not let a page read the clipboard. */
let lastCopy = '';

interface FieldMenuProps {
  readonly actions: FieldActions;
  readonly isField: boolean;
  readonly canRemove: boolean;
}

function FieldMenu({ actions, isField, canRemove }: FieldMenuProps): ReactNode {
  const showToast = useToast();
  const copy = () => {
    lastCopy = actions.copy() ?? '';
    void navigator.clipboard.writeText(lastCopy).catch(() => undefined);
    showToast('success', text('copied'));
  };
  const paste = async () => {
    const read = await navigator.clipboard.readText().catch(() => '');
    actions.paste(read.includes('"gatehouse.field"') ? read : lastCopy);
  };
  return (
    <Menu
      label={text('fieldMenu')}
      actions={[
        ...(isField
          ? [
              { key: 'duplicate', title: text('duplicateField'), onPress: actions.duplicate },
              { key: 'copy', title: text('copyField'), onPress: copy },
            ]
          : []),
        { key: 'paste', title: text('pasteField'), onPress: () => void paste() },
        ...(canRemove
          ? [
              {
                key: 'remove',
                title: text('removeField'),
                onPress: actions.remove,
                isDangerous: true,
                isApart: true,
              },
            ]
          : []),
      ]}
    />
  );
}
