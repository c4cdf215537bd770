import { type ReactNode, useState } from 'react';
import {
  type Example,
  type ExampleKind,
  type ExampleResult,
  runExamples,
  withExample,
} from '../../design/examples.js';
import { Button } from '../../kit/button.js';
import { Columns } from '../../kit/columns.js';
import { Empty, Notice } from '../../kit/feedback.js';
import { StatusLabel } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import { ExampleEditor } from './example-editor.js';
import { ServerVerdicts } from './server-results.js';
import type { Design } from './use-design.js';

/** Test documents of the form, stored in the form itself: they are validated after every change. */
export function ExamplesTab({ design }: { readonly design: Design }): ReactNode {
  const { draft, canEdit, change } = design;
  const [{ example }, setUrl] = useUrlState({ example: '' });
  const [asked, ask] = useState(0);
  const results = runExamples(draft);
  const add = (kind: ExampleKind) => {
    const next = withExample(draft, kind, {});
    change(next);
    setUrl({
      example: keyOf({
        kind,
        index: (runExamples(next) ?? []).filter((one) => one.example.kind === kind).length - 1,
      }),
    });
  };
  const buttons = canEdit && (
    <>
      <Button onPress={() => add('accepted')}>Add accepted example</Button>
      <Button onPress={() => add('refused')}>Add refused example</Button>
    </>
  );
  if (!results)
    return (
      <Notice kind="danger" title="Examples cannot be checked">
        The schema has errors. Open the tab Check to see them.
      </Notice>
    );
  if (results.length === 0)
    return (
      <Empty title="No examples" actions={buttons}>
        Examples are documents that the form must accept (<code>examples</code> in the schema) or refuse (
        <code>x-refused</code>). They are checked after each change. Add an example to start.
      </Empty>
    );
  const chosen = results.find((one) => keyOf(one.example) === example) ?? results[0];
  return (
    <>
      <div className="gh-actions">
        {buttons}
        <Button onPress={() => ask((count) => count + 1)}>Check on the server</Button>
      </div>
      {asked > 0 && <ServerVerdicts key={asked} draft={draft} results={results} />}
      <Columns kind="narrow-first">
        <ul className="gh-versions" aria-label="Examples">
          {results.map((result) => (
            <li key={keyOf(result.example)}>
              <ExampleButton
                result={result}
                isChosen={result === chosen}
                onPress={() => setUrl({ example: keyOf(result.example) })}
              />
            </li>
          ))}
        </ul>
        {chosen && <ExampleEditor key={keyOf(chosen.example)} design={design} result={chosen} />}
      </Columns>
    </>
  );
}

function keyOf({ kind, index }: Pick<Example, 'kind' | 'index'>): string {
  return `${kind}-${index}`;
}

interface ExampleButtonProps {
  readonly result: ExampleResult;
  readonly isChosen: boolean;
  readonly onPress: () => void;
}

function ExampleButton({ result: { example, passed }, isChosen, onPress }: ExampleButtonProps): ReactNode {
  return (
    <button type="button" className="gh-version" aria-current={isChosen} onClick={onPress}>
      <strong>Example {example.index + 1}</strong>
      <span className="gh-quiet">expected: {example.kind}</span>
      <StatusLabel status={passed ? 'good' : 'bad'}>{passed ? 'passes' : 'fails'}</StatusLabel>
    </button>
  );
}
