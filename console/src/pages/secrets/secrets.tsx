import type { ReactNode } from 'react';
import { useRead, useWrite } from '../../api/queries.js';
import { request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CopyButton } from '../../kit/copy.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { References } from './references.js';
import { RotationTimeline } from './rotation-timeline.js';
import { inNameOrder, referenceStatusOf, type Secrets as SecretsReply } from './secret.js';
import { StoresPanel } from './vault-panel.js';

const text = textOf('secrets');

const PATH = '/console/secrets';

/** Renders the state of every reference to a secret. The page never contains secret values. */
export function Secrets(): ReactNode {
  const secrets = useRead<SecretsReply>(PATH, { everyMs: 30_000 });
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      actions={(secrets.data?.vault ?? secrets.data?.files) && <RefreshButton />}
      source={{ path: PATH }}
    >
      <Read query={secrets} what={text('loading')}>
        {({ vault, files, references, encLeft }) => {
          const ordered = inNameOrder(references);
          return (
            <>
              {encLeft > 0 && <InlineSecretsNotice count={encLeft} />}
              <StoresPanel vault={vault} files={files} />
              <References vault={vault} references={ordered} />
              <RotationTimeline references={ordered} now={secrets.dataUpdatedAt} />
            </>
          );
        }}
      </Read>
    </Page>
  );
}

const STEPS = [
  { action: 'encPlan', command: 'gatehouse secrets migrate' },
  { action: 'encStore', command: undefined },
  { action: 'encWrite', command: 'gatehouse secrets migrate --write' },
  { action: 'encCheck', command: 'gatehouse secrets check' },
] as const;

/** Explains how to replace values that the platform encrypted. */
function InlineSecretsNotice({ count }: { readonly count: number }): ReactNode {
  return (
    <Notice kind="warning" title={text('encTitle', { count })}>
      <ol className="gh-steps">
        {STEPS.map(({ action, command }) => (
          <li key={action}>
            {text(action)}{' '}
            {command !== undefined && (
              <>
                <code>{command}</code> <CopyButton text={() => command}>{text('copy')}</CopyButton>
              </>
            )}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

/** Maximum number of references that the result of a refresh names. */
const MAX_NAMED = 3;

/** Returns the result of a refresh: a server that read all secrets may still lack some of them. */
function refreshResultOf({ references }: SecretsReply): readonly ['success' | 'danger', string] {
  const unusable = references.filter((reference) => referenceStatusOf(reference).status === 'bad');
  if (unusable.length === 0) return ['success', text('refreshed')];
  const shown = unusable.slice(0, MAX_NAMED).map(({ reference }) => reference);
  const names = [...shown, ...(unusable.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return ['danger', text('refreshedPartly', { count: unusable.length, total: references.length, names })];
}

/** Renders a button that reads every secret in use from Vault again. */
function RefreshButton(): ReactNode {
  const { may } = useSession();
  const { mutate, isPending } = useWrite(['/console/secrets', '/console/overview']);
  const showToast = useToast();
  if (!may('refreshSecrets')) return null;
  const refresh = () =>
    mutate(
      { method: 'POST', path: '/admin/vault/refresh' },
      {
        onSuccess: () => {
          void request<SecretsReply>({ path: PATH }).then(({ data }) => showToast(...refreshResultOf(data)));
        },
        onError: ({ code, message }) =>
          showToast(
            'danger',
            code === 'too_many_requests' ? text('refreshTooSoon') : text('refreshError', { cause: message }),
          ),
      },
    );
  return (
    <Button isBusy={isPending} onPress={refresh}>
      {text('refresh')}
    </Button>
  );
}
