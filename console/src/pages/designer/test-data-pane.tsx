import { type ReactNode, useMemo, useState } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { loadSubtreesFrom, pathOf, request } from '../../api/request.js';
import { useOperation } from '../../api/use-operation.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import type { StoredForm } from '../../design/draft.js';
import { FORM_DIALECT } from '../../design/examples.js';
import { type FormState, openForm, rowIdOf, withServerErrors, writeJson } from '../../form/model/index.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Failure, Notice } from '../../kit/feedback.js';

interface TestDataPaneProps {
  readonly form: StoredForm;
  readonly test: TestData;
}

/** Renders the form as tasks show it: parts are loaded when they are opened, and entered data is checked by the server. */
export function TestDataPane({ form, test }: TestDataPaneProps): ReactNode {
  const mayCheck = useSession().may('validateForm');
  const { state, change, check, isBusy, result, problem, goTo } = test;
  const { id } = form;
  const loadSubtrees = useMemo(() => loadSubtreesFrom(pathOf(['json-forms', 'forms', id, 'subtrees'])), [id]);
  if (!state)
    return (
      <Notice kind="danger" title={text('previewFailed')}>
        {text('largeFaults')}
      </Notice>
    );
  return (
    <>
      <div className="gh-actions">
        {mayCheck && (
          <Button isBusy={isBusy} onPress={check}>
            {text('checkOnServer')}
          </Button>
        )}
        <span className="gh-quiet">{text('testDataHelp')}</span>
      </div>
      <div role="status">{result && <ResultNotice result={result} />}</div>
      {problem && <Failure problem={problem} />}
      <FormView
        state={state}
        onChange={change}
        view="table"
        loadSubtrees={loadSubtrees}
        isPartialNoted
        goTo={goTo}
      />
    </>
  );
}

function ResultNotice({ result }: { readonly result: TestResult }): ReactNode {
  const { errors, isTruncated, isModelMissing } = result;
  if (errors.length > 0) {
    const count = errors.length;
    return <Notice kind="danger" title={text(isTruncated ? 'testRefusedMore' : 'testRefused', { count })} />;
  }
  return isModelMissing ? (
    <Notice kind="warning" title={text('testAccepted')}>
      {text('modelMissing')}
    </Notice>
  ) : (
    <Notice kind="success" title={text('testAccepted')} />
  );
}

/** Reply of `POST /json-forms/validate-form/:id`. */
interface Validation {
  readonly validation?: {
    readonly valid: boolean;
    readonly details: readonly { readonly instancePath: string; readonly message: string }[];
    readonly truncated: boolean;
    readonly yang?: 'checked' | 'model-missing';
  };
}

interface TestResult {
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  readonly isTruncated: boolean;
  /** True if the server does not have the YANG model, and applied the schema alone. */
  readonly isModelMissing: boolean;
}

/** Data that a person enters to test a form. It is not stored. */
export interface TestData {
  /** Undefined if the schema has faults. */
  readonly state: FormState | undefined;
  readonly change: (next: FormState) => void;
  /** Validates the data on the server, by the whole schema. */
  readonly check: () => void;
  readonly isBusy: boolean;
  /** Undefined before a check, and after a change of the data. */
  readonly result: TestResult | undefined;
  readonly problem: ApiProblem | undefined;
  /** The row of the first error. */
  readonly goTo: { readonly id: string } | undefined;
}

/** Opens the first part of the schema of a form with an empty document; again when another schema is stored. */
export function useTestData(form: StoredForm): TestData {
  const [opened, setOpened] = useState(() => openPart(form));
  const [result, setResult] = useState<TestResult>();
  const { isBusy, problem, run } = useOperation(() => setResult(undefined));
  const [goTo, setGoTo] = useState<{ readonly id: string }>();
  // The same schema is the same object after another read.
  const current = opened.schema === form.schema ? opened : openPart(form);
  if (current !== opened) {
    setOpened(current);
    setResult(undefined);
  }
  const { state } = current;
  const show = (next: FormState) => setOpened((known) => ({ ...known, state: next }));
  const change = (next: FormState) => {
    if (next.data !== state?.data) setResult(undefined);
    show(next);
  };
  const check = async () => {
    if (!state) return;
    const found = await validate(form.id, state);
    setResult(found);
    show(withServerErrors(state, found.errors));
    const id = rowIdOf(state, found.errors[0]?.pointer ?? '');
    if (id !== undefined && found.errors.length > 0) setGoTo({ id });
  };
  return { state, change, check: () => void run(check), isBusy, result, problem, goTo };
}

async function validate(id: string, { data }: FormState): Promise<TestResult> {
  const path = pathOf(['json-forms', 'validate-form', id]);
  const reply = await request<Validation>({
    method: 'POST',
    path,
    json: writeJson({ formData: data ?? null }),
  });
  const { details = [], truncated: isTruncated = false, yang } = reply.data.validation ?? {};
  return {
    errors: details.map(({ instancePath: pointer, message }) => ({ pointer, message })),
    isTruncated,
    isModelMissing: yang === 'model-missing',
  };
}

function openPart({ schema, uiSchema }: StoredForm): {
  readonly schema: unknown;
  readonly state: FormState | undefined;
} {
  try {
    const options = { dialect: FORM_DIALECT, isPartial: true };
    return { schema, state: openForm({ schema, uiSchema, data: {} }, options) };
  } catch {
    return { schema, state: undefined };
  }
}
