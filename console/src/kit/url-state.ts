import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * Returns state that is stored in the URL, so that it can be shared and survives a reload. Values equal to
 * `presets` are left out of the URL; a change replaces the current history entry.
 */
export function useUrlState<State extends Readonly<Record<string, string>>>(
  presets: State,
): readonly [State, (changes: Partial<State>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const key = JSON.stringify(presets);
  const state = useMemo(() => {
    const found = new URLSearchParams(search);
    const known = JSON.parse(key) as State;
    return Object.fromEntries(
      Object.entries(known).map(([name, preset]) => [name, found.get(name) ?? preset]),
    ) as State;
  }, [search, key]);
  const change = useCallback(
    (changes: Partial<State>) => {
      const next = new URLSearchParams(window.location.search);
      const known = JSON.parse(key) as State;
      for (const [name, value] of Object.entries(changes))
        if (typeof value !== 'string' || value === known[name]) next.delete(name);
        else next.set(name, value);
      const text = next.toString();
      navigate(text === '' ? path : `${path}?${text}`, { replace: true });
    },
    [key, navigate, path],
  );
  return [state, change];
}
