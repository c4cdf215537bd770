import type { ReactNode } from 'react';
import { Facts } from '../../kit/facts.js';
import { Notice } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';
import { spanOf, type Vault, vaultStand } from './secret.js';

/** The state of the server's Vault. */
export function VaultPanel({ vault }: { readonly vault: Vault | null }): ReactNode {
  if (!vault)
    return (
      <Notice kind="info" title="No Vault is configured">
        To use references to secrets, add <code>vault</code> with <code>address</code> and <code>auth</code>{' '}
        to the main configuration file.
      </Notice>
    );
  const { since, addresses, authMethod, mount, tokenTtlSeconds } = vault;
  const { status, word } = vaultStand(vault);
  return (
    <Panel title="Vault">
      <Facts
        facts={{
          State: <StatusLabel status={status}>{word}</StatusLabel>,
          Since: <Ago at={since} />,
          Address: <code>{addresses.join(', ')}</code>,
          Authentication: authMethod,
          Mount: <code>{mount}</code>,
          'Token expires in': tokenTtlSeconds === null ? undefined : spanOf(tokenTtlSeconds),
        }}
      />
    </Panel>
  );
}
