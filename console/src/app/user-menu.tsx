import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.js';
import { Menu } from '../kit/menu.js';
import { useSay } from '../kit/toasts.js';
import { useSession } from './session.js';
import { chooseTheme, chosenTheme, type Theme } from './theme.js';

const THEMES: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** The menu with the user's name and roles, the theme, and signing out. */
export function UserMenu(): ReactNode {
  const { name, roles } = useSession();
  const client = useQueryClient();
  const say = useSay();
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
    <Menu
      label={name}
      title={name}
      heading={roles.length === 0 ? 'No role' : roles.join(', ')}
      actions={[
        ...(Object.keys(THEMES) as Theme[]).map((key) => ({
          key,
          title: THEMES[key],
          isChosen: theme === key,
          onPress: () => choose(key),
        })),
        { key: 'leave', title: 'Sign out', onPress: () => void leave() },
      ]}
    />
  );
}
