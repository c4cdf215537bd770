import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Read } from '../../kit/feedback.js';
import { Page } from '../../kit/page.js';
import { RawLinks } from '../../kit/raw-links.js';
import { InlineSecretsNotice } from './inline-secrets-notice.js';
import { References } from './references.js';
import { RefreshNow } from './refresh-now.js';
import type { Secrets as SecretsReply } from './secret.js';
import { VaultPanel } from './vault-panel.js';

const PATH = '/console/secrets';

/** The state of every reference to a secret. The page never contains secret values. */
export function Secrets(): ReactNode {
  const secrets = useRead<SecretsReply>(PATH, { everyMs: 30_000 });
  return (
    <Page
      title="Secrets"
      lead="References to secrets and their state in Vault. Values never appear on pages, in responses or in logs."
      actions={
        <>
          <RefreshNow />
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
          </>
        )}
      </Read>
    </Page>
  );
}
