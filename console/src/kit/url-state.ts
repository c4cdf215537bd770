import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * State that stands in the address, so that it can be sent to others and survives a reload. What is as in `presets` is left out
 * of the address; a change replaces the entry of the history.
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
