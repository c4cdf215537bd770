import { type ReactNode, useMemo } from 'react';
import { changeExample, type ExampleResult } from '../../design/examples.js';
import { Button } from '../../kit/button.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { textOf } from '../../text/text.js';
import type { Design } from './use-design.js';
import { useJsonText } from './use-json-text.js';

const text = textOf('designer');

/** Renders an example: its data, and the form's errors for it. */
export function ExampleEditor({
  design,
  result,
}: {
  readonly design: Design;
  readonly result: ExampleResult;
}): ReactNode {
  const { draft, change, canEdit } = design;
  const { example, errors, passed } = result;
  const number = example.index + 1;
  const { json, write } = useJsonText({
    value: example.data,
    accepts: () => true,
    onChange: (data) =>
      change(changeExample(draft, example, data), `example ${example.kind} ${example.index}`),
  });
  const marks = useMemo(
    () =>
      errors.map(({ instancePath, message }): CodeMark => ({
        position: { pointer: instancePath },
        message,
        kind: example.kind === 'accepted' ? 'error' : 'warning',
      })),
    [errors, example.kind],
  );
  return (
    <div className="gh-stack">
      <CodeEditor
        label={text('exampleData', { number, kind: example.kind })}
        value={json}
        {...(canEdit && { onChange: write })}
        marks={marks}
      />
      <div role="status">
        <p>{resultText(result)}</p>
        {errors.length > 0 && (
          <ul className="gh-faults">
            {errors.map(({ instancePath, message, keyword }) => (
              <li key={`${instancePath} ${keyword}`}>
                <code>{instancePath === '' ? text('wholeDocument') : instancePath}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      {canEdit && (
        <div className="gh-actions">
          <Button kind="danger" isSmall onPress={() => change(changeExample(draft, example, undefined))}>
            {text('removeExample', { number })}
          </Button>
          {!passed && <span className="gh-quiet">{text('exampleFixHint')}</span>}
        </div>
      )}
    </div>
  );
}

function resultText({ example, passed, errors }: ExampleResult): string {
  if (example.kind === 'accepted') return text(passed ? 'acceptedAsExpected' : 'refusedUnexpectedly');
  return text(passed || errors.length > 0 ? 'refusedAsExpected' : 'acceptedUnexpectedly');
}
