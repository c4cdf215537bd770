import { Fragment, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { itemOfKey, ROW_KEYS } from '../../../text/keys.js';
import { canRedo, canUndo, changesOf, closeAll, type FormState, openAll } from '../../model/index.js';
import { Button, Icon } from '../controls.js';
import { redoStep, undoStep } from '../form-actions.js';
import { type FormController, useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';
import { applyFilter } from './apply-filter.js';
import { SearchBox } from './search-box.js';

/** How a form is shown: as a page of labeled fields, or as a treegrid. */
export type ViewKind = 'form' | 'table';

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
          <Button onClick={submit ?? (() => controller.showDialog({ kind: 'changes' }))}>
            {submit ? `${formText('review')} (${changes})` : formText('changes', { count: changes })}
          </Button>
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
    isPressed: wordsOf(state.filter).includes(word),
    run: () => applyFilter(controller, filterWith(controller.now().filter, word)),
  };
}

/** Returns the filter with the word added, or removed if it is present. */
function filterWith(filter: string, word: string): string {
  const words = wordsOf(filter);
  return (words.includes(word) ? words.filter((other) => other !== word) : [word, ...words]).join(' ');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/).filter(Boolean);
}

interface Tool {
  readonly label: string;
  /** Set for a toggle button. */
  readonly isPressed?: boolean;
  readonly isOff?: boolean;
  readonly run: () => void;
}

/**
 * A toolbar with groups of buttons (WAI-ARIA APG, toolbar). Disabled buttons stay focusable, so that the order
 * of the buttons does not change.
 */
function Tools({
  label,
  groups,
}: {
  readonly label: string;
  readonly groups: readonly (readonly Tool[])[];
}): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const next = itemOfKey(event.key, ROW_KEYS, { at: current, count: buttons.length });
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    buttons[next]?.focus();
  };
  let count = -1;
  return (
    <div ref={bar} role="toolbar" aria-label={label} className="gf-tools" onKeyDown={onKeyDown}>
      {groups.map((tools, group) => (
        <Fragment key={group}>
          {tools.length > 0 && (
            <span className="gf-tool-group">
              {tools.map((tool) => {
                count += 1;
                const index = count;
                return (
                  <ToolButton
                    key={tool.label}
                    tool={tool}
                    index={index}
                    current={current}
                    setCurrent={setCurrent}
                  />
                );
              })}
            </span>
          )}
        </Fragment>
      ))}
    </div>
  );
}

interface ToolButtonProps {
  readonly tool: Tool;
  readonly index: number;
  readonly current: number;
  readonly setCurrent: (index: number) => void;
}

function ToolButton({ tool, index, current, setCurrent }: ToolButtonProps): ReactNode {
  const { label, isPressed, isOff = false, run } = tool;
  return (
    <Button
      tabIndex={index === current ? 0 : -1}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      aria-disabled={isOff}
      onFocus={() => setCurrent(index)}
      onClick={() => {
        if (!isOff) run();
      }}
    >
      {label}
    </Button>
  );
}
