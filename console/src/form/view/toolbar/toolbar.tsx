import type { ReactNode } from 'react';
import { textOf } from '../../../text/text.js';
import { canRedo, canUndo, changesOf, closeAll, type FormState, openAll } from '../../model/index.js';
import { undoStep, redoStep } from '../form-actions.js';
import { type FormController, useFormController } from '../form-controller.js';
import { Icon } from '../icon.js';
import type { ViewKind } from '../view-kind.js';
import { applyFilter } from './apply-filter.js';
import { SearchBox } from './search-box.js';
import { type Tool, Tools } from './tools.js';

const formText = textOf('form');

interface ToolbarProps {
  readonly state: FormState;
  /** Text of the live region. */
  readonly announcement: string;
  readonly view: ViewKind;
  readonly chooseView: (view: ViewKind) => void;
  /** True leaves the tools to the page around the form. */
  readonly isPreview: boolean;
  readonly submit: (() => void) | undefined;
}

/** Search, filters and tools. The tools are one tab stop; arrow keys move between them. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const { state, announcement, view, chooseView, isPreview, submit } = props;
  const controller = useFormController();
  const changes = changesOf(state).length;
  const errors = state.errors.length;
  return (
    <div className={`gf-toolbar${isPreview ? ' gf-bare' : ''}`}>
      {!isPreview && <SearchBox state={state} />}
      {!isPreview && (
        <Tools label={formText('tools')} groups={toolGroups({ state, controller, view, chooseView })} />
      )}
      <span className="gf-said" role="status">
        {announcement}
      </span>
      <span className="gf-end">
        {errors > 0 && (
          <button
            type="button"
            className="gh-button gf-error"
            onClick={() => controller.showDialog({ kind: 'errors' })}
          >
            <Icon name="error" /> {formText('errors', { count: errors })}
          </button>
        )}
        {(changes > 0 || submit) && (
          <button
            type="button"
            className="gh-button"
            onClick={submit ?? (() => controller.showDialog({ kind: 'changes' }))}
          >
            {submit ? `${formText('review')} (${changes})` : formText('changes', { count: changes })}
          </button>
        )}
      </span>
    </div>
  );
}

type GroupFacts = Pick<ToolbarProps, 'state' | 'view' | 'chooseView'> & {
  readonly controller: FormController;
};

function toolGroups({ state, controller, view, chooseView }: GroupFacts): readonly (readonly Tool[])[] {
  const history: readonly Tool[] = [
    { label: formText('undo'), isOff: !canUndo(state), run: () => undoStep(controller) },
    { label: formText('redo'), isOff: !canRedo(state), run: () => redoStep(controller) },
  ];
  return [
    [
      filterTool({ state, controller, label: formText('onlyChanged'), word: 'is:changed' }),
      filterTool({ state, controller, label: formText('onlyRequired'), word: 'is:required' }),
      filterTool({ state, controller, label: formText('onlyErrors'), word: 'is:error' }),
    ],
    [
      { label: formText('openAll'), run: () => controller.change(openAll(controller.now())) },
      { label: formText('closeAll'), run: () => controller.change(closeAll(controller.now())) },
    ],
    controller.canEdit ? history : [],
    [
      { label: formText('viewForm'), isPressed: view === 'form', run: () => chooseView('form') },
      { label: formText('viewTable'), isPressed: view === 'table', run: () => chooseView('table') },
    ],
    [
      { label: formText('export'), run: () => controller.showDialog({ kind: 'export' }) },
      { label: formText('keys'), run: () => controller.showDialog({ kind: 'keys' }) },
    ],
  ];
}

interface FilterFacts {
  readonly state: FormState;
  readonly controller: FormController;
  readonly label: string;
  readonly word: string;
}

/** Returns a button that adds its word to the search box or removes it, so that the filter is visible. */
function filterTool({ state, controller, label, word }: FilterFacts): Tool {
  return {
    label,
    isPressed: filterHas(state.filter, word),
    run: () => applyFilter(controller, filterWith(controller.now().filter, word)),
  };
}

/** Returns true if a filter contains the word. */
function filterHas(filter: string, word: string): boolean {
  return wordsOf(filter).includes(word);
}

/** Returns the filter with the word added, or removed if it is present. */
function filterWith(filter: string, word: string): string {
  const words = wordsOf(filter);
  return (words.includes(word) ? words.filter((other) => other !== word) : [word, ...words]).join(' ');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/).filter(Boolean);
}
