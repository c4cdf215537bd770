import type { ReactNode } from 'react';
import { canRedo, canUndo, changesOf, closeAll, type FormState, openAll } from '../../model/index.js';
import { type FormController, useDesk } from '../form-controller.js';
import { Icon } from '../icon.js';
import { stepBack, stepForth } from '../form-actions.js';
import { applyFilter, SearchBox } from './search-box.js';
import { type Tool, Tools } from './tools.js';

export interface ToolbarProps {
  readonly state: FormState;
  /** Text of the live region. */
  readonly said: string;
  readonly isPlain: boolean;
  readonly switchPage: () => void;
  readonly submit: (() => void) | undefined;
}

/** Search, filters and tools. The tools are one tab stop; arrow keys move between them. */
export function Toolbar({ state, said, isPlain, switchPage, submit }: ToolbarProps): ReactNode {
  const desk = useDesk();
  const { labels } = desk;
  const changes = changesOf(state).length;
  const errors = state.errors.length;
  return (
    <div className="gf-toolbar">
      <SearchBox state={state} />
      <Tools label={labels.tools} groups={toolGroups({ state, desk, isPlain, switchPage })} />
      <span className="gf-said" role="status">
        {said}
      </span>
      <span className="gf-end">
        {errors > 0 && (
          <button type="button" className="gf-button gf-error" onClick={() => desk.show({ kind: 'errors' })}>
            <Icon name="error" /> {labels.errors(errors)}
          </button>
        )}
        {(changes > 0 || submit) && (
          <button
            type="button"
            className="gf-button"
            onClick={submit ?? (() => desk.show({ kind: 'changes' }))}
          >
            {submit ? `${labels.review} (${changes})` : labels.changes(changes)}
          </button>
        )}
      </span>
    </div>
  );
}

type GroupFacts = Pick<ToolbarProps, 'state' | 'isPlain' | 'switchPage'> & { readonly desk: FormController };

function toolGroups({ state, desk, isPlain, switchPage }: GroupFacts): readonly (readonly Tool[])[] {
  const { labels } = desk;
  const history: readonly Tool[] = [
    { label: labels.undo, isOff: !canUndo(state), run: () => stepBack(desk) },
    { label: labels.redo, isOff: !canRedo(state), run: () => stepForth(desk) },
  ];
  return [
    [
      filterTool({ state, desk, label: labels.onlyChanged, word: 'is:changed' }),
      filterTool({ state, desk, label: labels.onlyRequired, word: 'is:required' }),
      filterTool({ state, desk, label: labels.onlyErrors, word: 'is:error' }),
    ],
    [
      { label: labels.openAll, run: () => desk.change(openAll(desk.now())) },
      { label: labels.closeAll, run: () => desk.change(closeAll(desk.now())) },
    ],
    desk.canEdit ? history : [],
    [
      { label: labels.plainPage, isPressed: isPlain, run: switchPage },
      { label: labels.export, run: () => desk.show({ kind: 'export' }) },
      { label: labels.keys, run: () => desk.show({ kind: 'keys' }) },
    ],
  ];
}

interface FilterFacts {
  readonly state: FormState;
  readonly desk: FormController;
  readonly label: string;
  readonly word: string;
}

/** A filter button adds its word to the search, which makes the word visible to the person. */
function filterTool({ state, desk, label, word }: FilterFacts): Tool {
  return {
    label,
    isPressed: filterHas(state.filter, word),
    run: () => applyFilter(desk, filterWith(desk.now().filter, word)),
  };
}

/** Returns true if a filter contains the word. */
export function filterHas(filter: string, word: string): boolean {
  return wordsOf(filter).includes(word);
}

/** Returns the filter with the word added, or removed if it is present. */
export function filterWith(filter: string, word: string): string {
  const words = wordsOf(filter);
  return (words.includes(word) ? words.filter((one) => one !== word) : [word, ...words]).join(' ');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/).filter(Boolean);
}
