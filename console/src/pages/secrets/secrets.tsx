import type { ReactNode } from 'react';
import { useRead, useWrite } from '../../api/queries.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Page, Panel } from '../../kit/page.js';
import { CopyButton, RawLinks } from '../../kit/copy.js';
import { References } from './references.js';
import { RotationTimeline } from './rotation-timeline.js';
import { type Secrets as SecretsReply, formatSeconds, type Vault, vaultStatusOf } from './secret.js';
import { Facts } from '../../kit/facts.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { useToast } from '../../kit/toasts.js';

const PATH = '/console/secrets';

/** Renders the state of every reference to a secret. The page never contains secret values. */
export function Secrets(): ReactNode {
  const secrets = useRead<SecretsReply>(PATH, { everyMs: 30_000 });
  return (
    <Page
      title="Secrets"
      lead="References to secrets and their state in Vault. Values never appear on pages, in responses or in logs."
      actions={
        <>
          <RefreshButton />
          <RawLinks path={PATH} />
        </>
      }
    >
      <Read query={secrets} what="the secrets">
        {({ vault, references, encLeft }) => (
          <>
            {encLeft > 0 && <InlineSecretsNotice count={encLeft} />}
            <VaultPanel vault={vault} />
            <References references={references} />
            <RotationTimeline references={references} now={secrets.dataUpdatedAt} />
          </>
        )}
      </Read>
    </Page>
  );
}

const STEPS = [
  {
    action: 'Show the plan: each value and its new reference.',
    command: 'gatehouse secrets migrate',
  },
  { action: 'Store the values in Vault with the commands of the plan.', command: undefined },
  {
    action: 'Change the files; a copy of each file is kept.',
    command: 'gatehouse secrets migrate --write',
  },
  { action: 'Check that Vault has every reference.', command: 'gatehouse secrets check' },
] as const;

/** Explains how to replace values that the platform encrypted. */
function InlineSecretsNotice({ count }: { readonly count: number }): ReactNode {
  const title = count === 1 ? '1 value is encrypted with $ENC' : `${count} values are encrypted with $ENC`;
  return (
    <Notice kind="warning" title={`${title}: gatehouse cannot decrypt $ENC values and refuses them`}>
      <ol className="gh-steps">
        {STEPS.map(({ action, command }) => (
          <li key={action}>
            {action}{' '}
            {command !== undefined && (
              <>
                <code>{command}</code> <CopyButton text={() => command}>Copy</CopyButton>
              </>
            )}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

/** Renders the state of the server's Vault. */
function VaultPanel({ vault }: { readonly vault: Vault | null }): ReactNode {
  if (!vault)
    return (
      <Notice kind="info" title="No Vault is configured">
        To use references to secrets, add <code>vault</code> with <code>address</code> and <code>auth</code>{' '}
        to the main configuration file.
      </Notice>
    );
  const { since, addresses, authMethod, mount, tokenTtlSeconds } = vault;
  const { status, word } = vaultStatusOf(vault);
  return (
    <Panel title="Vault">
      <Facts
        facts={{
          State: <StatusLabel status={status}>{word}</StatusLabel>,
          Since: <Ago at={since} />,
          Address: <code>{addresses.join(', ')}</code>,
          Authentication: authMethod,
          Mount: <code>{mount}</code>,
          'Token expires in': tokenTtlSeconds === null ? undefined : formatSeconds(tokenTtlSeconds),
        }}
      />
    </Panel>
  );
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
        onSuccess: () =>
          showToast('success', 'All secrets in use were read again. Adapters apply the changes.'),
        onError: ({ message }) => showToast('danger', message),
      },
    );
  return (
    <Button isBusy={isPending} onPress={refresh}>
      Refresh now
    </Button>
  );
}
