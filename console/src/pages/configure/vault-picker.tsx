import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type {
  VaultBrowseFault,
  VaultFolder,
} from '../../../../src/features/secrets-page/vault-browse-view.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { isSecretEditor } from '../../form/model/index.js';
import type { ValuePicker } from '../../form/view/form-controller.js';
import { Button } from '../../kit/button.js';
import { Notice, Read } from '../../kit/feedback.js';
import { EntryForm, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import './configure.css';
import { ancestorsOf, folderRequestPath, matchingEntries } from './vault-folder.js';

const text = textOf('configure');

/**
 * Returns the dialog that chooses a reference for the fields of secrets of an adapter; undefined for a user who may not
 * list the names in Vault, and without a Vault.
 */
export function useVaultPicker(adapter: string, hasVault: boolean): ValuePicker | undefined {
  const isAllowed = useSession().may('getVaultPaths') && hasVault;
  return useMemo(
    () =>
      isAllowed
        ? {
            title: text('browse'),
            isFor: ({ editor }) => editor.kind === 'combobox' && isSecretEditor(editor),
            render: (choose) =>
              adapter === '' ? (
                <p>{text('browseNeedsName')}</p>
              ) : (
                <VaultBrowser adapter={adapter} onChoose={choose} />
              ),
          }
        : undefined,
    [adapter, isAllowed],
  );
}

interface BrowserProps {
  readonly adapter: string;
  readonly onChoose: (reference: string) => void;
}

/** Shows one folder of Vault at a time: folders and secrets to open, and the fields of the open secret to choose. */
function VaultBrowser({ adapter, onChoose }: BrowserProps): ReactNode {
  const [{ path, isSecret }, setOpened] = useState({ path: '', isSecret: false });
  const [contains, setContains] = useState('');
  const [top, setTop] = useState<string>();
  // The server records each listing, so that a folder is read again only on demand.
  const folder = useRead<VaultFolder>(folderRequestPath({ adapter, path, contains }), { isCached: true });
  const first = folder.data?.path;
  useEffect(() => setTop((known) => known ?? first), [first]);
  const open = (next: string, nextIsSecret = false) => {
    setOpened({ path: next, isSecret: nextIsSecret });
    setContains('');
  };
  return (
    <div className="gh-stack">
      <Ancestors path={path === '' ? (top ?? '') : path} top={top ?? ''} onOpen={open} />
      <Read query={folder} what={text('browseWhat')}>
        {(data) => (
          <Folder
            key={data.path}
            folder={data}
            contains={contains}
            isSecret={isSecret}
            onSearch={setContains}
            onOpen={open}
            onChoose={onChoose}
          />
        )}
      </Read>
      <Button kind="link" isBusy={folder.isFetching} onPress={() => void folder.refetch()}>
        {text('browseAgain')}
      </Button>
    </div>
  );
}

interface OpenProps {
  readonly onOpen: (path: string, isSecret?: boolean) => void;
}

/** The folders above the open one; the open one is the last. */
function Ancestors({
  path,
  top,
  onOpen,
}: OpenProps & { readonly path: string; readonly top: string }): ReactNode {
  const ancestors = ancestorsOf(path, top);
  return (
    <nav aria-label={text('browsePath')}>
      <ol className="gh-vault-path">
        {ancestors.map((one, at) => (
          <li key={one.path}>
            {at === ancestors.length - 1 ? (
              <code aria-current="location" dir="auto">
                {one.name}
              </code>
            ) : (
              <Button kind="link" onPress={() => onOpen(one.path)}>
                {one.name}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface FolderProps extends OpenProps, Pick<BrowserProps, 'onChoose'> {
  readonly folder: VaultFolder;
  readonly contains: string;
  /** True if the folder above lists the path as a secret. */
  readonly isSecret: boolean;
  readonly onSearch: (contains: string) => void;
}

function Folder({ folder, contains, isSecret, onSearch, onOpen, onChoose }: FolderProps): ReactNode {
  const { entries, secret } = folder;
  const [search, setSearch] = useState(contains);
  const shown = matchingEntries(entries.results, search);
  const isPartial = entries.total > entries.results.length;
  // A policy for the secrets in a folder denies to read the folder itself as a secret, which says nothing.
  const isPlainFolder = secret.fault !== null && !isSecret && entries.total > 0;
  const hasSearch = entries.results.length > 0 || contains !== '';
  return (
    <div className="gh-stack">
      {!isPlainFolder && <Fields secret={secret} path={folder.path} onChoose={onChoose} />}
      {entries.fault && <FaultNotice title={text('browseFolderFault')} fault={entries.fault} />}
      {hasSearch && (
        <EntryForm label={text('browseSearch')} onSubmit={() => onSearch(search.trim())}>
          <TextField
            label={text('browseSearch')}
            value={search}
            onChange={setSearch}
            hasFocus
            {...(isPartial && {
              help: text('browsePartial', { shown: entries.results.length, total: entries.total }),
            })}
          />
        </EntryForm>
      )}
      {!entries.fault && (
        <p role="status" className="gh-quiet">
          {text('browseCount', { count: shown.length })}
        </p>
      )}
      <ul className="gh-vault-names" aria-label={text('browseNames')} onKeyDown={moveFocus}>
        {shown.map(({ name, path, isFolder, isSecret: hasFields }) => (
          <li key={path}>
            <button type="button" onClick={() => onOpen(path, hasFields)}>
              <bdi>{name}</bdi>
              <span className="gh-quiet">
                {text(isFolder ? (hasFields ? 'browseBoth' : 'browseFolder') : 'browseSecret')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FieldsProps extends Pick<BrowserProps, 'onChoose'> {
  readonly secret: VaultFolder['secret'];
  readonly path: string;
}

/** The fields of the secret at the open path. */
function Fields({ secret, path, onChoose }: FieldsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const { exists, fields, total, fault } = secret;
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  if (fault) return <FaultNotice title={text('browseSecretFault')} fault={fault} />;
  if (!exists) return null;
  return (
    <section aria-label={text('browseFields', { path })}>
      <h3>{text('browseFields', { path })}</h3>
      <ul ref={list} className="gh-vault-names" onKeyDown={moveFocus}>
        {fields.map(({ name, reference, refusal }) => (
          <li key={reference}>
            <button type="button" disabled={refusal !== null} onClick={() => onChoose(reference)}>
              <bdi>{name}</bdi>
              <span className="gh-quiet">{refusal ?? text('browseField')}</span>
            </button>
          </li>
        ))}
      </ul>
      {total > fields.length && (
        <p className="gh-quiet">{text('browseFieldsLeft', { count: total - fields.length })}</p>
      )}
    </section>
  );
}

function FaultNotice({
  title,
  fault,
}: {
  readonly title: string;
  readonly fault: VaultBrowseFault;
}): ReactNode {
  return (
    <Notice kind="warning" title={title}>
      <p>{fault.cause}</p>
      <p>{fault.fix}</p>
    </Notice>
  );
}

/** Moves the focus between the buttons of a list with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined || at < 0) return;
  event.preventDefault();
  buttons[next]?.focus();
}
