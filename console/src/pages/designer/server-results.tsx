import { type ReactNode, useEffect, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import type { FormDraft } from '../../design/draft.js';
import { type ExampleResult, FORM_DIALECT } from '../../design/examples.js';
import { Failure, Loading, Notice } from '../../kit/feedback.js';

interface ServerResult {
  readonly validation: { readonly valid: boolean };
}

export interface ServerVerdictsProps {
  readonly draft: FormDraft;
  readonly results: readonly ExampleResult[];
}

/** Validates the examples on the server with the current schema, saved or not, and compares the results. */
export function ServerVerdicts({ draft, results }: ServerVerdictsProps): ReactNode {
  const [verdicts, setVerdicts] = useState<readonly boolean[]>();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    askAll(draft, results).then(setVerdicts, (error: unknown) => setProblem(problemOf(error)));
    // Runs once, on mount.
  }, []);
  if (problem) return <Failure problem={problem} />;
  if (!verdicts) return <Loading what="the server's results" />;
  const differing = results.filter(({ example, passed }, at) => {
    const isValid = passed === (example.kind === 'accepted');
    return verdicts[at] !== isValid;
  });
  if (differing.length === 0)
    return (
      <Notice
        kind="success"
        title={`The server returns the same result for all ${results.length} examples`}
      />
    );
  return (
    <Notice
      kind="danger"
      title={`The server returns another result for ${differing.length} of ${results.length} examples`}
    >
      {differing.map(({ example }) => `example ${example.index + 1} (${example.kind})`).join(', ')}
    </Notice>
  );
}

async function askAll({ schema }: FormDraft, results: readonly ExampleResult[]): Promise<readonly boolean[]> {
  const verdicts: boolean[] = [];
  const jsonSchema = { $schema: FORM_DIALECT, ...schema };
  for (const { example } of results) {
    const body = { jsonSchema, formData: example.data };
    const { data } = await request<ServerResult>({ method: 'POST', path: '/json-forms/validate-data', body });
    verdicts.push(data.validation.valid);
  }
  return verdicts;
}
