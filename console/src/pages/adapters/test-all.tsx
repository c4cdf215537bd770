import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { invalidate } from '../../api/queries.js';
import { request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { testRequest } from './actions.js';
import { runForEach } from './run-for-each.js';
import { resultsOf, type TestReply, type Verdict } from './test-results.js';

const text = textOf('status');

/** Maximum number of adapters that one press tests. */
const MAX_ADAPTERS = 100;

/** Renders a button that tests the connections of several adapters, and shows one result for all. */
export function TestAll({ names }: { readonly names: readonly string[] }): ReactNode {
  const { may } = useSession();
  const showToast = useToast();
  const client = useQueryClient();
  const [done, setDone] = useState<number>();
  if (!may('testAdapter')) return null;
  const tested = names.slice(0, MAX_ADAPTERS);
  const count = tested.length;
  const run = async () => {
    setDone(0);
    const verdicts = new Map<string, Verdict>();
    const onResult = (verdict: Verdict, name: string) => {
      verdicts.set(name, verdict);
      setDone(verdicts.size);
    };
    await runForEach(tested, testOne, { onResult });
    setDone(undefined);
    for (const [kind, message] of resultsOf(verdicts)) showToast(kind, message);
    void invalidate(client, ['/console/overview', '/health/']);
  };
  return (
    <Button
      kind="link"
      isSmall
      isBusy={done !== undefined}
      {...(done === undefined && count === names.length && { label: text('testAllLabel', { count }) })}
      onPress={() => void run()}
    >
      {done !== undefined
        ? text('testing', { done, count })
        : text(count < names.length ? 'testFirst' : 'testAll', { count })}
    </Button>
  );
}

async function testOne(name: string): Promise<Verdict> {
  try {
    const { data } = await request<TestReply>(testRequest(name));
    if (data.ok) return 'reachable';
    return data.connection === 'LOGIN_REFUSED' ? 'login refused' : 'not reachable';
  } catch {
    return 'not tested';
  }
}
