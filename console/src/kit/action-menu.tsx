import { type ReactNode, useRef, useState } from 'react';
import { Divider } from '@patternfly/react-core/dist/esm/components/Divider';
import { Dropdown, DropdownItem, DropdownList } from '@patternfly/react-core/dist/esm/components/Dropdown';
import { MenuToggle } from '@patternfly/react-core/dist/esm/components/MenuToggle';

/** One thing that can be done: something happens, or a file is loaded down. */
export interface MenuAction {
  readonly key: string;
  readonly title: string;
  readonly onPress?: () => void;
  /** Path of a file on the server, and the name that it gets. */
  readonly file?: { readonly path: string; readonly name: string };
  readonly isDangerous?: boolean;
  /** A line goes before it. */
  readonly isApart?: boolean;
}

export interface ActionMenuProps {
  /** What the actions are for: "Actions for core1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Text of the button; three dots when absent. */
  readonly title?: string;
}

/** A button that opens a list of things that can be done. Without any there is no button. */
export function ActionMenu({ label, actions, title }: ActionMenuProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  // A dialog that opens now gives the focus back to where it was: the chosen item will not be there any more.
  const leave = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  if (actions.length === 0) return null;
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={leave}
      popperProps={{ position: 'right' }}
      toggle={{
        toggleRef: toggle,
        toggleNode: (
          <MenuToggle
            ref={toggle}
            variant={title === undefined ? 'plain' : 'default'}
            aria-label={label}
            isExpanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {title ?? '⋮'}
          </MenuToggle>
        ),
      }}
    >
      <DropdownList aria-label={label}>{actions.map(itemOf)}</DropdownList>
    </Dropdown>
  );
}

function itemOf({ key, title, onPress, file, isDangerous = false, isApart = false }: MenuAction): ReactNode {
  const item = (
    <DropdownItem
      key={key}
      isDanger={isDangerous}
      {...(onPress && { onClick: onPress })}
      {...(file && { to: file.path, download: file.name })}
    >
      {title}
    </DropdownItem>
  );
  return isApart ? [<Divider key={`${key} line`} component="li" />, item] : item;
}
