/** `auto` follows the operating system. */
export type Theme = 'auto' | 'light' | 'dark';

const THEME_KEY = 'gatehouse.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Returns the theme that the user chose last. */
export function chosenTheme(): Theme {
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
