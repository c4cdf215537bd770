import { type ReactNode, useState } from 'react';
import { Divider } from '@patternfly/react-core/dist/esm/components/Divider';
import {
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
} from '@patternfly/react-core/dist/esm/components/Dropdown';
import { MenuToggle } from '@patternfly/react-core/dist/esm/components/MenuToggle';

/** One thing that can be chosen: something happens, or a file is loaded down. */
export interface MenuAction {
  readonly key: string;
  readonly title: string;
  readonly onPress?: () => void;
  /** Path of a file on the server, and the name that it gets. */
  readonly file?: { readonly path: string; readonly name: string };
  readonly isDangerous?: boolean;
  /** A line goes before it. */
  readonly isApart?: boolean;
  /** True where one of several is in force, and this is it. */
  readonly isChosen?: boolean;
}

export interface MenuProps {
  /** What the actions are for: "Actions for core1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Text of the button; three dots when absent. */
  readonly title?: string;
  /** Stands over the actions. */
  readonly heading?: string;
  /** `primary` where it is the one thing to do here. */
  readonly kind?: 'default' | 'primary';
  /** The edge of the button that the list keeps to. */
  readonly side?: 'start' | 'end';
}

/** More actions than these are scrolled. */
const MOST_IN_SIGHT = 10;

/** A button that opens a list of things that can be done. Without any there is no button. */
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
      // A dialog that opens now gives the focus back to where it was: the chosen item will not be there any more.
      shouldFocusToggleOnSelect
      isScrollable={actions.length > MOST_IN_SIGHT}
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
      {isChosen === true && <span className="pf-v6-screen-reader"> (chosen)</span>}
    </DropdownItem>
  );
  return isApart ? [<Divider key={`${key} line`} component="li" />, item] : item;
}
