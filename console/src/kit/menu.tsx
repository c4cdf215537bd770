import { type ReactNode, useRef, useState } from 'react';
import { Dropdown, DropdownItem, DropdownList } from '@patternfly/react-core/dist/esm/components/Dropdown';
import { MenuToggle } from '@patternfly/react-core/dist/esm/components/MenuToggle';

/** One thing that can be chosen. */
export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly onPress: () => void;
  readonly isDisabled?: boolean;
  /** What it does, or why it cannot be done. */
  readonly help?: string;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly isDisabled?: boolean;
  readonly kind?: 'default' | 'primary' | 'secondary';
}

/** A button with several things to do behind it. */
export function Menu({ label, items, isDisabled = false, kind = 'secondary' }: MenuProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  // A dialog that opens now gives the focus back to where it was: the chosen item will not be there any more.
  const leave = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={leave}
      isScrollable
      toggle={{
        toggleRef: toggle,
        toggleNode: (
          <MenuToggle
            ref={toggle}
            variant={kind}
            isExpanded={isOpen}
            isDisabled={isDisabled}
            onClick={() => setOpen(!isOpen)}
          >
            {label}
          </MenuToggle>
        ),
      }}
    >
      <DropdownList>
        {items.map(({ key, label: text, onPress, isDisabled: isOff = false, help }) => (
          <DropdownItem
            key={key}
            isDisabled={isOff}
            onClick={onPress}
            {...(help !== undefined && { description: help })}
          >
            {text}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}
