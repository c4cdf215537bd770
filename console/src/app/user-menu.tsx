import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { request } from '../api/request.js';
import { announce } from '../api/session.js';
import { Menu } from '../kit/menu.js';
import { formatList } from '../kit/numbers.js';
import { useToast } from '../kit/toasts.js';
import { changeLanguage, chosenLanguage, LANGUAGES } from '../text/start-texts.js';
import { useSession } from './session.js';
import { text } from './shell-text.js';

/** Reply of `DELETE /console/session`. */
interface SignOutReply {
  /** Address of the sign-out at the identity provider. */
  readonly signOutUrl?: string;
}

const THEMES = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];

/** Returns a function that signs the user out and leaves the console. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const showToast = useToast();
  const signOut = async () => {
    try {
      const { data } = await request<SignOutReply>({ method: 'DELETE', path: '/console/session' });
      client.clear();
      announce('signed-out');
      window.location.assign(data.signOutUrl ?? '/ui/sign-in');
    } catch (error) {
      showToast('danger', text('signOut.failed', { reason: error instanceof Error ? error.message : '' }));
    }
  };
  return () => void signOut();
}

/** Renders the menu with the user's name and roles, the theme, the language, and signing out. */
export function UserMenu(): ReactNode {
  const { name, roles } = useSession();
  const signOut = useSignOut();
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Menu
      label={text('account', { name })}
      title={name}
      heading={roles.length === 0 ? text('noRole') : formatList(roles)}
      actions={[
        ...THEMES.map((key) => ({
          key: `theme-${key}`,
          title: text(`theme.${key}`),
          isChosen: theme === key,
          onPress: () => choose(key),
        })),
        ...languageActions(),
        { key: 'documentation', title: text('documentation'), isApart: true, onPress: openDocumentation },
        { key: 'leave', title: text('signOut'), isApart: true, onPress: signOut },
      ]}
    />
  );
}

/** Opens the documentation of this server in another tab. */
function openDocumentation(): void {
  window.open('/docs/guide/', '_blank', 'noopener');
}

function languageActions() {
  if (LANGUAGES.length < 2) return [];
  const chosen = chosenLanguage();
  return [undefined, ...LANGUAGES].map((language, at) => ({
    key: `language-${language ?? 'auto'}`,
    title: language === undefined ? text('language.auto') : nameOf(language),
    isApart: at === 0,
    isChosen: chosen === language,
    onPress: () => changeLanguage(language),
  }));
}

/** Returns the name of a language in this language: `Deutsch`. */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

/** `auto` follows the operating system. */
type Theme = 'auto' | 'light' | 'dark';

const THEME_KEY = 'gatehouse.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Returns the theme that the user chose last. */
function chosenTheme(): Theme {
  const stored = window.localStorage.getItem(THEME_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

/** Applies a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') window.localStorage.removeItem(THEME_KEY);
  else window.localStorage.setItem(THEME_KEY, theme);
  applyTheme();
}

/** Applies the theme to the document, and follows the operating system while no theme is chosen. */
export function followTheme(): void {
  applyTheme();
  dark.addEventListener('change', applyTheme);
}

function applyTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === 'dark' || (theme === 'auto' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}
