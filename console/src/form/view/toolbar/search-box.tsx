import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type FormState, rowsOf, withFilter } from '../../model/index.js';
import { type FormController, useDesk } from '../form-controller.js';

/** After a search that took longer than this (ms), the next one waits for a pause in typing (ms). */
const SLOW = 40;
const PAUSE = 150;

/** Filters rows during typing and announces their number. Enter and ArrowDown move to the first row. */
export function SearchBox({ state }: { readonly state: FormState }): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const id = useId();
  const [text, setText] = useState(state.filter);
  const timer = useRef(0);
  const cost = useRef(0);
  // Text that was typed since stays: only changes of the filter from elsewhere are taken over.
  const sent = useRef(state.filter);
  useLayoutEffect(() => {
    if (sent.current === desk.now().filter) return;
    sent.current = desk.now().filter;
    setText(sent.current);
  }, [desk, state.filter]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const search = (wanted: string) => {
    window.clearTimeout(timer.current);
    sent.current = wanted;
    const began = performance.now();
    applyFilter(desk, wanted);
    cost.current = performance.now() - began;
  };
  const write = (wanted: string) => {
    setText(wanted);
    window.clearTimeout(timer.current);
    if (cost.current < SLOW) search(wanted);
    else timer.current = window.setTimeout(() => search(wanted), PAUSE);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== '') write('');
    else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (text !== desk.now().filter) search(text);
      const { rows } = rowsOf(desk.now());
      const first = rows.find(({ hit }) => hit) ?? rows[0];
      if (first) desk.goTo({ id: first.id, stop: 0 });
    } else return;
    event.preventDefault();
  };
  return (
    <span className="gf-search">
      <label className="gf-heard" htmlFor={id}>
        {labels.search}
      </label>
      <input
        id={id}
        className="gf-input"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={labels.searchHint}
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </span>
  );
}

/** Filters the rows, and announces how many match. */
export function applyFilter(desk: FormController, filter: string): void {
  const next = withFilter(desk.now(), filter);
  desk.change(next);
  desk.say(filter.trim() === '' ? '' : desk.labels.hits(rowsOf(next).hits));
}
