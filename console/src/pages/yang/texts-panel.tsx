import { type ReactNode, useMemo, useRef } from 'react';
import { Button } from '../../kit/button.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import type { TextPosition } from '../../kit/code-positions.js';
import { DropZone } from '../../kit/drop-zone.js';
import { Panel } from '../../kit/page.js';
import { scanYang } from './scan-yang.js';
import type { YangFault, YangText } from './yang-request.js';
import { text } from './yang-text.js';

const MAX_FILE_BYTES = 10_000_000;

interface TextsPanelProps {
  readonly texts: readonly YangText[];
  readonly faults: readonly YangFault[];
  /** Index of the text in the editor. */
  readonly shown: number;
  readonly goTo: { readonly position: TextPosition; readonly isFocus: boolean } | undefined;
  readonly onTexts: (texts: readonly YangText[]) => void;
  readonly onShow: (index: number) => void;
}

/** Renders the added modules, and the selected module in the editor with its errors marked. */
export function TextsPanel({ texts, faults, shown, goTo, onTexts, onShow }: TextsPanelProps): ReactNode {
  const at = Math.min(shown, Math.max(texts.length - 1, 0));
  const current = texts[at];
  const marks = useMemo(
    () =>
      faults.flatMap(({ text: index, line, column, message }): readonly CodeMark[] =>
        index !== at || line === undefined
          ? []
          : [{ position: { line, column: column ?? 1 }, message, kind: 'error' }],
      ),
    [faults, at],
  );
  // Files are read asynchronously: other texts may have been added meanwhile.
  const latest = useRef(texts);
  latest.current = texts;
  const add = (more: readonly YangText[]) => {
    const unchanged = latest.current.filter(({ name }) => !more.some((one) => one.name === name));
    latest.current = [...unchanged, ...more];
    onTexts(latest.current);
    onShow(unchanged.length);
  };
  const write = (written: string) => {
    if (current) onTexts(texts.with(at, { ...current, text: written }));
    else onTexts([{ name: 'pasted', text: written }]);
  };
  return (
    <Panel
      title={text('modules')}
      actions={
        <Button isSmall onPress={() => add([{ name: freeName(texts), text: '' }])}>
          {text('addText')}
        </Button>
      }
    >
      <div className="gh-stack">
        <DropZone label={text('drop')} accept=".yang,text/plain" maxBytes={MAX_FILE_BYTES} onTexts={add} />
        <TextList texts={texts} faults={faults} onTexts={onTexts} onShow={onShow} shown={at} />
        <CodeEditor
          label={current ? text('editor', { name: current.name }) : text('editor.empty')}
          language="text"
          value={current?.text ?? ''}
          onChange={write}
          marks={marks}
          goTo={goTo}
        />
      </div>
    </Panel>
  );
}

type TextListProps = Pick<TextsPanelProps, 'texts' | 'faults' | 'shown' | 'onTexts' | 'onShow'>;

function TextList({ texts, faults, shown, onTexts, onShow }: TextListProps): ReactNode {
  if (texts.length === 0) return null;
  return (
    <ul className="gh-yang-texts" aria-label={text('texts')}>
      {texts.map((one, index) => (
        <li key={`${index} ${one.name}`}>
          <TextButton
            module={one}
            isShown={index === shown}
            faults={faults.filter((fault) => fault.text === index).length}
            onPress={() => onShow(index)}
          />
          <Button
            kind="plain"
            isSmall
            label={text('remove', { name: one.name })}
            onPress={() => onTexts(texts.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface TextButtonProps {
  readonly module: YangText;
  readonly isShown: boolean;
  readonly faults: number;
  readonly onPress: () => void;
}

function TextButton({ module, isShown, faults, onPress }: TextButtonProps): ReactNode {
  const scanned = useMemo(() => scanYang(module.text), [module]);
  const revision = scanned?.revision === undefined ? '' : `@${scanned.revision}`;
  return (
    <button type="button" className="gh-version" aria-current={isShown} onClick={onPress}>
      <strong>{scanned ? `${scanned.name}${revision}` : module.name}</strong>
      <span className="gh-quiet">
        {scanned ? module.name : text('noModule')}
        {faults > 0 && ` · ⊘ ${text('textFaults', { count: faults })}`}
      </span>
    </button>
  );
}

function freeName(texts: readonly YangText[]): string {
  for (let count = texts.length + 1; ; count += 1) {
    const name = `pasted ${count}`;
    if (!texts.some((one) => one.name === name)) return name;
  }
}
