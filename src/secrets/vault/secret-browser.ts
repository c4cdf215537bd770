import { pointerTo } from '../../json/pointer.js';
import { Semaphore } from '../../lib/semaphore.js';
import { SecretError } from '../secret-error.js';
import { pathBelowMount } from '../secret-path.js';
import { type Mount, folderPath, listUrl } from './address.js';
import type { OpenClient } from './open-client.js';
import { type Reader, readSecret } from './read-secret.js';

/** A name in a folder. A secret and a folder may have the same name. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isSecret: boolean;
}

/**
 * Lists names below the configured mount for people who choose a reference. Sends each request once, so that nobody
 * waits for several attempts. Returns no values.
 */
export interface SecretBrowser {
  /** Lists a folder in the order of its names; empty without a folder. Throws a {@link SecretError}. */
  listFolder(segments: readonly string[]): Promise<readonly FolderEntry[]>;
  /**
   * Returns the fields of a secret as references name them: a key, or a JSON pointer for a key that looks like one.
   * Undefined without a secret. Throws a {@link SecretError}.
   */
  listFields(segments: readonly string[]): Promise<readonly string[] | undefined>;
}

/** Maximum number of concurrent requests, so that secrets in use are read in time. */
const MAX_CONCURRENT_REQUESTS = 2;

/** Creates the browser; each request uses the current token. */
export function createSecretBrowser(connection: () => Promise<OpenClient>, mount: string): SecretBrowser {
  const requests = new Semaphore(MAX_CONCURRENT_REQUESTS);
  return {
    listFolder: (segments) =>
      requests.run(async () => {
        const { client, tokens, mounts } = await connection();
        const folder = folderPath(segments, mount);
        const url = listUrl(folder, requireKv(await mounts.find(folder)));
        return entriesOf(await client.list(url, await tokens.current()));
      }),
    listFields: (segments) =>
      requests.run(async () => {
        // The mount itself is no secret.
        if (segments.length === 0) return undefined;
        const opened = await connection();
        const path = pathBelowMount(segments, mount);
        requireKv(await opened.mounts.find(path));
        try {
          const { fields, lease } = await readSecret(path, readerOnce(opened));
          if (lease) {
            // The read has created it by mistake.
            await opened.client.revokeLease(lease.id, await opened.tokens.current());
            throw notKv();
          }
          return Object.keys(fields).sort().map(fieldText);
        } catch (error) {
          if (error instanceof SecretError && error.facts.isNothing) return undefined;
          throw error;
        }
      }),
  };
}

/**
 * Returns a reader that sends each request once. A denied request does not replace the token: a person may look where the
 * policy ends, and leases end with their token.
 */
function readerOnce({ client, tokens, mounts }: OpenClient): Reader {
  return {
    client: { read: (path, token) => client.read(path, token, { once: true }) },
    tokens: { use: async (_key, request) => request(await tokens.current()) },
    mounts,
  };
}

/** Returns the mount. Reading from another engine would create credentials. */
function requireKv(mount: Mount): Mount {
  if (mount.engine === 'other') throw notKv();
  return mount;
}

function notKv(): SecretError {
  return new SecretError({
    code: 'VAULT_PATH_FORBIDDEN',
    message:
      'The engine at vault.mount creates its secrets when they are read, so that they cannot be listed',
    fix: 'Write the reference as a text.',
  });
}

/** Vault lists a folder with a slash at its end, and a secret without. */
function entriesOf(names: readonly string[]): readonly FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const written of names) {
    const isFolder = written.endsWith('/');
    const name = isFolder ? written.slice(0, -1) : written;
    const known = entries.get(name);
    entries.set(name, {
      name,
      isFolder: isFolder || known?.isFolder === true,
      isSecret: !isFolder || known?.isSecret === true,
    });
  }
  return [...entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function fieldText(key: string): string {
  return key === '' || key.startsWith('/') ? pointerTo('', key) : key;
}
