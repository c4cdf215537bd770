import type { ReactNode } from 'react';
import './secrets.css';
import { InlineList } from '../../kit/facts.js';
import { Notice } from '../../kit/feedback.js';
import { StatusLabel } from '../../kit/status.js';
import { Time } from '../../kit/time.js';
import { rich } from '../../text/rich.js';
import { formatSpan } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import { type Files, type Vault, vaultSentenceOf, vaultStatusOf } from './secret.js';

const text = textOf('secrets');

/** Renders the state of the stores: Vault, and the folder of files if one is configured. */
export function StoresPanel({
  vault,
  files,
}: {
  readonly vault: Vault | null;
  readonly files: Files | null;
}): ReactNode {
  return (
    <>
      {(vault !== null || files === null) && <VaultPanel vault={vault} />}
      {files && <FilesPanel files={files} />}
    </>
  );
}

/** Renders the folder of secret files in one line, and above it what is wrong. */
function FilesPanel({ files: { state, root, cause } }: { readonly files: Files }): ReactNode {
  return (
    <>
      {cause !== null && <Notice kind="warning" title={cause} />}
      <InlineList
        label={text('files')}
        facts={{
          [text('files')]: (
            <StatusLabel status={state === 'ok' ? 'good' : 'warning'}>
              {text(state === 'ok' ? 'filesRead' : 'filesStale')}
            </StatusLabel>
          ),
          [text('filesRoot')]: <code className="gh-wrap">{root}</code>,
        }}
      />
    </>
  );
}

/** Renders the state of the server's Vault in one line, and above it what is wrong. */
function VaultPanel({ vault }: { readonly vault: Vault | null }): ReactNode {
  if (!vault)
    return (
      <Notice kind="info" title={text('noVaultTitle')}>
        {rich(text, 'noVaultBody', { code: (children) => <code>{children}</code> })}
      </Notice>
    );
  const { since, addresses, authMethod, mount, tokenTtlSeconds, tokenLifetimeSeconds } = vault;
  const { status, word } = vaultStatusOf(vault);
  const sentence = vaultSentenceOf(vault);
  return (
    <>
      {sentence !== undefined && (
        <Notice kind={vault.lostSecrets > 0 ? 'danger' : 'warning'} title={sentence} />
      )}
      <InlineList
        label={text('vault')}
        facts={{
          [text('vault')]: (
            <>
              <StatusLabel status={status}>{word}</StatusLabel>{' '}
              <span className="gh-quiet">{rich(text, 'since', { ago: <Time at={since} /> })}</span>
            </>
          ),
          [text('address')]: <code className="gh-wrap">{addresses.join(', ')}</code>,
          [text('authMethod')]: METHOD_NAMES[authMethod] ?? authMethod,
          [text('mount')]: <code>{mount}</code>,
          [text('token')]: <Token left={tokenTtlSeconds} whole={tokenLifetimeSeconds} />,
        }}
      />
    </>
  );
}

/** Names of the auth methods as Vault writes them; other methods are shown as configured. */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  approle: 'AppRole',
  kubernetes: 'Kubernetes',
  jwt: 'JWT',
  cert: 'TLS certificate',
};

/** Renders the remaining lifetime of the token as a bar that drains. */
function Token({ left, whole }: { readonly left: number | null; readonly whole: number | null }): ReactNode {
  if (left === null) return <span className="gh-quiet">{text('tokenForever')}</span>;
  const words = text('tokenExpires', { left: formatSpan(left * 1000) });
  if (whole === null) return words;
  return (
    <span className="gh-vault-token">
      <meter min={0} max={whole} low={whole / 10} value={left} aria-label={text('tokenBar')} /> {words}
    </span>
  );
}
