import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { testRequest } from './actions.js';
import { failedTestText, type TestReply } from './test-results.js';

const text = textOf('status');

/** A test of the connection of an adapter. */
interface ConnectionTest {
  /** Probes the orchestrator and shows the result. */
  readonly test: () => void;
  readonly isTesting: boolean;
}

/** Returns the test of an adapter's connection; undefined if the user may not test. */
export function useTestNow(name: string): ConnectionTest | undefined {
  const { may } = useSession();
  const showToast = useToast();
  const { mutate, isPending } = useWrite<TestReply>(['/console/overview', '/health/']);
  if (!may('testAdapter')) return undefined;
  const test = () =>
    mutate(testRequest(name), {
      onSuccess: ({ data }) => {
        if (data.ok) showToast('success', text('reachable', { name }));
        else showToast('danger', failedTestText(name, data));
      },
      onError: (problem) => showToast('danger', failureText(name, problem)),
    });
  return { test, isTesting: isPending };
}

function failureText(name: string, { code, message }: ApiProblem): string {
  if (code === 'too_many_requests') return text('testedJustNow', { name });
  if (code === 'adapter_unavailable') return text('nothingToTest', { name });
  return text('testFailed', { name, cause: message });
}

/** Renders a button that tests the connection of an adapter now. */
export function TestNow({
  name,
  kind = 'secondary',
}: {
  readonly name: string;
  /** `link` among other actions of a row. */
  readonly kind?: 'secondary' | 'link';
}): ReactNode {
  const connection = useTestNow(name);
  if (!connection) return null;
  const { test, isTesting } = connection;
  return (
    <Button
      kind={kind}
      isSmall={kind === 'link'}
      isBusy={isTesting}
      label={text('testLabel', { name })}
      onPress={test}
    >
      {text('testNow')}
    </Button>
  );
}
