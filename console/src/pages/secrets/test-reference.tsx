import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { StatusLabel } from '../../kit/status.js';

interface TestReply {
  readonly ok: boolean;
  readonly cause: string | null;
  readonly fix: string | null;
}

/** Reads one reference from Vault now, and shows whether it has a value. */
export function TestReference({ reference }: { readonly reference: string }): ReactNode {
  const { may } = useSession();
  const { mutate, data, error, isPending } = useWrite<TestReply>(['/console/secrets']);
  if (!may('testSecret')) return null;
  const reply = data?.data;
  return (
    <>
      <Button
        isSmall
        isBusy={isPending}
        label={`Test ${reference}`}
        onPress={() => mutate({ method: 'POST', path: '/console/secrets/test', body: { reference } })}
      >
        Test
      </Button>
      <div role="status">
        {error && <StatusLabel status="warning">{error.message}</StatusLabel>}
        {!error && reply?.ok === true && <StatusLabel status="good">resolves</StatusLabel>}
        {!error && reply?.ok === false && (
          <StatusLabel status="bad">{reply.cause ?? 'does not resolve'}</StatusLabel>
        )}
      </div>
    </>
  );
}
