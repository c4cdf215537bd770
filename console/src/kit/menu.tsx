import { Divider } from '@patternfly/react-core/dist/esm/components/Divider';
import {
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
} from '@patternfly/react-core/dist/esm/components/Dropdown';
import { MenuToggle } from '@patternfly/react-core/dist/esm/components/MenuToggle';
import { type ReactNode, useState } from 'react';
import { textOf } from '../text/text.js';

/** A menu item: runs an action, or downloads a file. */
export interface MenuAction {
  readonly key: string;
  readonly title: string;
  readonly onPress?: () => void;
  /** Path of a file on the server, and its name after download. */
  readonly file?: { readonly path: string; readonly name: string };
  readonly isDangerous?: boolean;
  /** True adds a separator before the item. */
  readonly isApart?: boolean;
  /** True for the current option of several. */
  readonly isChosen?: boolean;
}

interface MenuProps {
  /** Accessible name: "Actions for core1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Text of the button; three dots if absent. */
  readonly title?: string;
  /** Heading above the actions. */
  readonly heading?: string;
  /** `primary` for the main action of a page. */
  readonly kind?: 'default' | 'primary';
  /** The edge of the button that the list is aligned with. */
  readonly side?: 'start' | 'end';
}

/** Longer lists of actions are scrollable. */
const MAX_VISIBLE_ITEMS = 10;

/** Renders a button that opens a menu of actions. Without actions there is no button. */
export function Menu(props: MenuProps): ReactNode {
  const { label, actions, title, heading, kind = 'default', side = 'end' } = props;
  const [isOpen, setOpen] = useState(false);
  if (actions.length === 0) return null;
  const list = <DropdownList aria-label={label}>{actions.map(itemOf)}</DropdownList>;
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      // A dialog that the item opens returns the focus to the button, because the item no longer exists when
      // the dialog closes.
      shouldFocusToggleOnSelect
      isScrollable={actions.length > MAX_VISIBLE_ITEMS}
      popperProps={{ position: side }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant={title === undefined ? 'plain' : kind}
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          {...(label !== title && { 'aria-label': label })}
        >
          {title ?? '⋮'}
        </MenuToggle>
      )}
    >
      {heading === undefined ? list : <DropdownGroup label={heading}>{list}</DropdownGroup>}
    </Dropdown>
  );
}

function itemOf(action: MenuAction): ReactNode {
  const { key, title, onPress, file, isDangerous = false, isApart = false, isChosen } = action;
  const item = (
    <DropdownItem
      key={key}
      isDanger={isDangerous}
      {...(onPress && { onClick: onPress })}
      {...(file && { to: file.path, download: file.name })}
      {...(isChosen !== undefined && { isSelected: isChosen })}
    >
      {title}
      {isChosen === true && <span className="pf-v6-screen-reader"> ({textOf('kit')('selected')})</span>}
    </DropdownItem>
  );
  return isApart ? [<Divider key={`${key} line`} component="li" />, item] : item;
}
