import type { ReactNode } from 'react';
import { useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { useSay } from '../../kit/toasts.js';

/** A button that reads every secret in use from Vault again. */
export function RefreshNow(): ReactNode {
  const { may } = useSession();
  const { mutate, isPending } = useWrite(['/console/secrets', '/console/overview']);
  const say = useSay();
  if (!may('refreshSecrets')) return null;
  const refresh = () =>
    mutate(
      { method: 'POST', path: '/admin/vault/refresh' },
      {
        onSuccess: () => say('success', 'All secrets in use were read again. Adapters apply the changes.'),
        onError: ({ message }) => say('danger', message),
      },
    );
  return (
    <Button isBusy={isPending} onPress={refresh}>
      Refresh now
    </Button>
  );
}
