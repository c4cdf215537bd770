import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { RunningEditor } from './code-mirror.js';
import { type TextPosition, rangeOf } from './code-positions.js';
import { createEchoFilter, type EchoFilter } from './ignore-own-events.js';
import { jsonFault } from './json-text.js';
import { text } from './kit-text.js';

export interface CodeMark {
  readonly position: TextPosition;
  readonly message: string;
  readonly kind: 'error' | 'warning';
}

interface CodeEditorProps {
  /** Accessible name of the text. */
  readonly label: string;
  readonly value: string;
  /** Absent for a read-only text. */
  readonly onChange?: (value: string) => void;
  readonly marks?: readonly CodeMark[];
  /** `json` by default. */
  readonly language?: 'json' | 'text';
  /** `fill` uses the height of the enclosing box; other values are a number of rows. */
  readonly height?: 'small' | 'medium' | 'large' | 'fill';
  /** A new object moves the cursor there; `isFocus` moves the focus as well. */
  readonly goTo?: { readonly position: TextPosition; readonly isFocus?: boolean } | undefined;
  readonly onCursor?: (offset: number) => void;
}

/**
 * Renders a text editor that marks errors in the text. CodeMirror is loaded on first use; Escape, then Tab,
 * leaves the editor.
 */
export function CodeEditor(props: CodeEditorProps): ReactNode {
  const { label, value, onChange, marks, language = 'json', height = 'medium', goTo } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [echoes] = useState(createEchoFilter<string>);
  const editor = useEditor(host, { latest, echoes });
  const isJson = language === 'json';
  const found = useMemo(() => marksOf(value, marks ?? [], isJson), [value, marks, isJson]);
  useEffect(() => {
    if (!echoes.isEcho(value)) editor?.setValue(value);
  }, [echoes, editor, value]);
  useEffect(() => editor?.setMarks(found), [editor, found]);
  useEffect(() => editor?.setLabel(label), [editor, label]);
  useEffect(() => {
    if (goTo) editor?.goTo(rangeOf(latest.current.value, goTo.position), goTo.isFocus ?? false);
  }, [editor, goTo]);
  return (
    <div className="gh-code-editor" data-height={height} aria-busy={!editor}>
      <div ref={host} className="gh-code-editor-host" />
      {!editor && (
        <pre role="group" aria-label={label}>
          {value.slice(0, 20_000)}
        </pre>
      )}
      {onChange && (
        <p className="gh-code-editor-hint gh-quiet" aria-hidden="true">
          {text('editor.keys')}
        </p>
      )}
    </div>
  );
}

function marksOf(value: string, marks: readonly CodeMark[], isJson: boolean) {
  const fault = isJson && value.trim() !== '' ? jsonFault(value) : undefined;
  return [
    ...(fault ? [{ ...fault, kind: 'error' as const }] : []),
    ...marks.map(({ position, message, kind }) => ({ ...rangeOf(value, position), message, kind })),
  ];
}

/** Loads the editor into the host. Its events go to the latest callbacks. */
function useEditor(
  host: { readonly current: HTMLDivElement | null },
  {
    latest,
    echoes,
  }: { readonly latest: { readonly current: CodeEditorProps }; readonly echoes: EchoFilter<string> },
): RunningEditor | undefined {
  const [editor, setEditor] = useState<RunningEditor>();
  useEffect(() => {
    let running: RunningEditor | undefined;
    let isUnmounted = false;
    void import('./code-mirror.js').then(({ openEditor }) => {
      if (isUnmounted || !host.current) return;
      const { label, value, onChange, language = 'json' } = latest.current;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      running = openEditor(root, {
        label,
        value,
        isJson: language === 'json',
        isReadOnly: !onChange,
        onChange: (next) => {
          echoes.notify(next);
          latest.current.onChange?.(next);
        },
        onCursor: (offset) => latest.current.onCursor?.(offset),
      });
      setEditor(running);
    });
    return () => {
      isUnmounted = true;
      running?.close();
      setEditor(undefined);
    };
  }, [host, latest, echoes]);
  return editor;
}
