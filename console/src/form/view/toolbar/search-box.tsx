import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isComposing } from '../../../text/keys.js';
import { type FormState, rowsOf } from '../../model/index.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { applyFilter, applyFilterNow } from './apply-filter.js';

/** Duration after which a search counts as slow. The next search then waits for a pause in typing. */
const SLOW_SEARCH_MS = 40;
const TYPING_PAUSE_MS = 150;

/** Filters the rows during typing. Enter and ArrowDown move the focus to the first matching row. */
export function SearchBox({ state }: { readonly state: FormState }): ReactNode {
  const controller = useFormController();
  const id = useId();
  const [text, setText] = useState(state.filter);
  const timer = useRef(0);
  const duration = useRef(0);
  // The text follows changes of the filter from outside, but not those of this search box.
  const sent = useRef(state.filter);
  useLayoutEffect(() => {
    if (sent.current === controller.now().filter) return;
    sent.current = controller.now().filter;
    setText(sent.current);
  }, [controller, state.filter]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const search = (filter: string) => {
    window.clearTimeout(timer.current);
    sent.current = filter;
    const started = performance.now();
    applyFilter(controller, filter);
    duration.current = performance.now() - started;
  };
  const change = (filter: string) => {
    setText(filter);
    window.clearTimeout(timer.current);
    if (duration.current < SLOW_SEARCH_MS) search(filter);
    else timer.current = window.setTimeout(() => search(filter), TYPING_PAUSE_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape' && text !== '') change('');
    else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      if (text !== controller.now().filter) {
        window.clearTimeout(timer.current);
        sent.current = text;
        applyFilterNow(controller, text);
      }
      const { rows } = rowsOf(controller.now());
      const first = rows.find(({ hit }) => hit) ?? rows[0];
      if (first) controller.goTo({ id: first.id, stop: 0 });
    } else return;
    event.preventDefault();
  };
  return (
    <span className="gf-search">
      <label className="gf-heard" htmlFor={id}>
        {formText('search')}
      </label>
      <input
        id={id}
        className="gh-input gf-input"
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={formText('searchHint')}
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </span>
  );
}
