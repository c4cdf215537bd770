import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { text } from '../../design/designer-text.js';
import type { FormDraft } from '../../design/draft.js';
import {
  changeExample,
  type Example,
  type ExampleKind,
  type ExampleResult,
  FORM_DIALECT,
  runExamples,
  withExample,
} from '../../design/examples.js';
import { Button } from '../../kit/button.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { Empty, Failure, Loading, Notice } from '../../kit/feedback.js';
import { Columns } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import { rich } from '../../text/rich.js';
import { useJsonText } from './source-pane.js';
import type { Design } from './use-design.js';

/** Renders test documents of the form, stored in the form itself: they are validated after every change. */
export function ExamplesTab({ design }: { readonly design: Design }): ReactNode {
  const { draft, canEdit, change } = design;
  const [{ example }, setUrl] = useUrlState({ example: '' });
  const [serverRuns, setServerRuns] = useState(0);
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
      <Button onPress={() => add('accepted')}>{text('addAccepted')}</Button>
      <Button onPress={() => add('refused')}>{text('addRefused')}</Button>
    </>
  );
  if (!results)
    return (
      <Notice kind="danger" title={text('examplesUnchecked')}>
        {text('schemaErrors')}
      </Notice>
    );
  if (results.length === 0)
    return (
      <Empty title={text('examplesEmpty')} actions={buttons}>
        {rich(text, 'examplesHelp', { code: (children) => <code>{children}</code> })}
      </Empty>
    );
  const chosen = results.find((one) => keyOf(one.example) === example) ?? results[0];
  return (
    <>
      <div className="gh-actions">
        {buttons}
        <Button onPress={() => setServerRuns((count) => count + 1)}>{text('checkOnServer')}</Button>
      </div>
      {serverRuns > 0 && <ServerResults key={serverRuns} draft={draft} results={results} />}
      <Columns kind="narrow-first">
        <ul className="gh-versions" aria-label={text('examples')}>
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
      <strong>{text('example', { number: example.index + 1 })}</strong>
      <span className="gh-quiet">{text('expected', { kind: example.kind })}</span>
      <StatusLabel status={passed ? 'good' : 'bad'}>{text(passed ? 'passes' : 'fails')}</StatusLabel>
    </button>
  );
}

interface ServerResult {
  readonly validation: { readonly valid: boolean };
}

interface ServerResultsProps {
  readonly draft: FormDraft;
  readonly results: readonly ExampleResult[];
}

/** Validates the examples on the server with the current schema, saved or not, and compares the results. */
function ServerResults({ draft, results }: ServerResultsProps): ReactNode {
  const [serverResults, setServerResults] = useState<readonly boolean[]>();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    validateOnServer(draft, results).then(setServerResults, (error: unknown) => setProblem(problemOf(error)));
    // Runs once, on mount.
  }, []);
  if (problem) return <Failure problem={problem} />;
  if (!serverResults) return <Loading what={text('serverResults')} />;
  const differing = results.filter(({ example, passed }, at) => {
    const isValid = passed === (example.kind === 'accepted');
    return serverResults[at] !== isValid;
  });
  if (differing.length === 0)
    return <Notice kind="success" title={text('serverAgrees', { count: results.length })} />;
  return (
    <Notice kind="danger" title={text('serverDiffers', { count: differing.length, total: results.length })}>
      {differing
        .map(({ example: { index, kind } }) => text('exampleOfKind', { number: index + 1, kind }))
        .join(', ')}
    </Notice>
  );
}

async function validateOnServer(
  { schema }: FormDraft,
  results: readonly ExampleResult[],
): Promise<readonly boolean[]> {
  const serverResults: boolean[] = [];
  const jsonSchema = { $schema: FORM_DIALECT, ...schema };
  for (const { example } of results) {
    const body = { jsonSchema, formData: example.data };
    const { data } = await request<ServerResult>({ method: 'POST', path: '/json-forms/validate-data', body });
    serverResults.push(data.validation.valid);
  }
  return serverResults;
}

/** Renders an example: its data, and the form's errors for it. */
function ExampleEditor({
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
