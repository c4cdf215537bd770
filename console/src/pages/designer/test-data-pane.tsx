import { type ReactNode, useMemo } from 'react';
import { loadSubtreesFrom } from '../../api/load-subtrees.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import type { StoredForm } from '../../design/draft.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';
import type { TestData, TestResult } from './use-test-data.js';

const text = textOf('designer');

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
