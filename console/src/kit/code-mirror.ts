import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { textOf } from '../text/text.js';
import type { TextRange } from './code-positions.js';

export interface EditorSetup {
  readonly value: string;
  readonly label: string;
  readonly isJson: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
  /** Called with the new position of the cursor. */
  readonly onCursor: (offset: number) => void;
}

export interface RunningEditor {
  /** Shows another text; unchanged parts and the cursor stay. */
  setValue(value: string): void;
  /** Sets the accessible name of the text. */
  setLabel(label: string): void;
  setMarks(
    marks: readonly (TextRange & { readonly message: string; readonly kind: 'error' | 'warning' })[],
  ): void;
  /** Moves the cursor to a position and scrolls it into view. */
  goTo(range: TextRange, isFocus: boolean): void;
  close(): void;
}

/** Marks changes by the page, so that the editor does not report these changes as edits of the user. */
const fromOutside = Annotation.define<boolean>();

/**
 * Opens CodeMirror in a shadow root. In a shadow root, its styles are adopted style sheets, which `style-src
 * 'self'` allows. Outside of a shadow root, CodeMirror adds a style tag.
 */
export function openEditor(root: ShadowRoot, setup: EditorSetup): RunningEditor {
  const label = new Compartment();
  const extensions = [...extensionsOf(setup), label.of(labelled(setup.label))];
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: setup.value, extensions }),
  });
  return {
    setValue: (value) => replace(view, value),
    setLabel: (next) => view.dispatch({ effects: label.reconfigure(labelled(next)) }),
    setMarks: (marks) => {
      const length = view.state.doc.length;
      const found = marks.map(({ from, to, message, kind }): Diagnostic => {
        const start = Math.min(from, length);
        return { from: start, to: Math.max(start, Math.min(to, length)), message, severity: kind };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    goTo: ({ from, to }, isFocus) => {
      const length = view.state.doc.length;
      const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
      view.dispatch({
        selection,
        effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }),
        annotations: fromOutside.of(true),
      });
      if (isFocus) view.focus();
    },
    close: () => view.destroy(),
  };
}

function labelled(label: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label });
}

function extensionsOf({ isJson, isReadOnly, onChange, onCursor }: EditorSetup): readonly Extension[] {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    // The caller provides the diagnostics; the editor computes none.
    linter(null),
    ...(isJson ? [json(), syntaxHighlighting(jsonHighlighting)] : []),
    keymap.of([
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    editorTheme,
    EditorState.readOnly.of(isReadOnly),
    EditorView.lineWrapping,
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.contentAttributes.of({
      // The element is focusable anyway; the attribute makes this visible to accessibility checks.
      tabindex: '0',
      'aria-description': textOf('kit')('editor.description'),
      ...(isReadOnly && { 'aria-readonly': 'true' }),
    }),
    EditorView.updateListener.of((update) => {
      const isOutside = update.transactions.some((one) => one.annotation(fromOutside));
      if (isOutside) return;
      if (update.docChanged) onChange(update.state.doc.toString());
      if (update.selectionSet || update.docChanged) onCursor(update.state.selection.main.head);
    }),
  ];
}

/**
 * Replaces a selection with typed text. Without this, Chromium adds the style of the selected text as an
 * attribute, which the policy forbids.
 */
function replaceSelection({ inputType, data }: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (inputType !== 'insertText' || data === null || view.composing) return false;
  const change = state.selection.main.empty
    ? replaceBrowserSelection(view, data)
    : state.replaceSelection(data);
  if (!change) return false;
  if (!state.readOnly) view.dispatch(change, { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/**
 * Returns the change that replaces the selection of the browser with typed text. The browser reports a new
 * selection to the editor with a short delay.
 */
function replaceBrowserSelection(view: EditorView, insert: string): TransactionSpec | undefined {
  // Chromium reports a selection in a shadow root only through the shadow root.
  const root = view.root as Partial<Pick<Document, 'getSelection'>>;
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } =
    root.getSelection?.() ?? NO_SELECTION;
  if (isCollapsed || !anchorNode || !focusNode || !view.contentDOM.contains(anchorNode)) return undefined;
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)];
  const from = Math.min(...ends);
  return { changes: { from, to: Math.max(...ends), insert }, selection: { anchor: from + insert.length } };
}

const NO_SELECTION = {
  anchorNode: null,
  anchorOffset: 0,
  focusNode: null,
  focusOffset: 0,
  isCollapsed: true,
};

/** Syntax highlighting; the colors are custom properties of the page, which the shadow root inherits. */
const jsonHighlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--gh-accent)' },
  { tag: tags.string, color: 'var(--gh-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--gh-warning)' },
  { tag: tags.punctuation, color: 'var(--gh-quiet)' },
]);

const editorTheme = EditorView.theme({
  '&': {
    color: 'var(--gh-text)',
    backgroundColor: 'var(--gh-ground)',
    fontSize: '0.8125rem',
    maxHeight: '100%',
    blockSize: '100%',
  },
  '&.cm-focused': { outline: '2px solid var(--gh-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--gh-mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--gh-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--gh-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--gh-raised)',
    color: 'var(--gh-quiet)',
    borderRight: '1px solid var(--gh-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--gh-active-line)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--gh-accent-soft)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--gh-warning-soft)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--gh-raised)',
    borderColor: 'var(--gh-line)',
    color: 'var(--gh-quiet)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--gh-raised)',
    color: 'var(--gh-text)',
    borderColor: 'var(--gh-line)',
  },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--gh-ground)',
    backgroundImage: 'none',
    color: 'var(--gh-text)',
    border: '1px solid var(--gh-quiet)',
  },
  '.cm-panel.cm-search label': { minBlockSize: '24px', display: 'inline-flex', alignItems: 'center' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--gh-text)',
    minInlineSize: '24px',
    minBlockSize: '24px',
  },
});

function replace(view: EditorView, value: string): void {
  const previous = view.state.doc.toString();
  if (previous === value) return;
  const shorter = Math.min(previous.length, value.length);
  let head = 0;
  while (head < shorter && previous[head] === value[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && previous.at(-1 - tail) === value.at(-1 - tail)) tail += 1;
  view.dispatch({
    changes: { from: head, to: previous.length - tail, insert: value.slice(head, value.length - tail) },
    annotations: fromOutside.of(true),
  });
}
