import { type ReactNode, useState } from 'react';
import {
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
} from '@patternfly/react-core/dist/esm/components/Dropdown';
import { MenuToggle } from '@patternfly/react-core/dist/esm/components/MenuToggle';
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.js';
import { useSay } from '../kit/toasts.js';
import { useSession } from './session.js';
import { chooseTheme, chosenTheme, type Theme } from './theme.js';

const THEMES: Readonly<Record<Theme, string>> = { auto: 'As the system', light: 'Light', dark: 'Dark' };

/** Who one is, how the pages look, and the way out. */
export function UserMenu(): ReactNode {
  const { name, roles } = useSession();
  const client = useQueryClient();
  const say = useSay();
  const [isOpen, setOpen] = useState(false);
  const [theme, setTheme] = useState(chosenTheme);
  const leave = async () => {
    try {
      await request({ method: 'DELETE', path: '/console/session' });
      client.clear();
      window.location.assign('/ui/sign-in');
    } catch (error) {
      say('danger', error instanceof Error ? error.message : 'Signing out failed.');
    }
  };
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle ref={ref} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {name}
        </MenuToggle>
      )}
    >
      <DropdownGroup label={roles.length === 0 ? 'No role' : roles.join(', ')}>
        <DropdownList>
          {(Object.keys(THEMES) as Theme[]).map((key) => (
            <DropdownItem key={key} isSelected={theme === key} onClick={() => choose(key)}>
              {THEMES[key]}
            </DropdownItem>
          ))}
          <DropdownItem onClick={() => void leave()}>Sign out</DropdownItem>
        </DropdownList>
      </DropdownGroup>
    </Dropdown>
  );
}
