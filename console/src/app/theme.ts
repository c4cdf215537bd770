/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'gatehouse.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** What the reader chose last. */
export function chosenTheme(): Theme {
  const kept = window.localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Shows the pages so, now and the next time. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') window.localStorage.removeItem(KEY);
  else window.localStorage.setItem(KEY, theme);
  applyTheme();
}

/** Puts the theme on the document, and follows the system while nothing was chosen. */
export function followTheme(): void {
  applyTheme();
  dark.addEventListener('change', applyTheme);
}

function applyTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === 'dark' || (theme === 'auto' && dark.matches);
  document.documentElement.classList.toggle('pf-v6-theme-dark', isDark);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}
