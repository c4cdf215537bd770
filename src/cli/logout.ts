import { ClientFailure } from '../auth/oidc/client-failure.js';
import { openHttpClient } from '../upstream/client.js';
import { type Command, type CommandIo, EXIT, parsePositionals } from './command.js';
import { createGateway } from './login/gateway.js';
import { type KeyringEntry, openKeyring, readCa } from './login/keyring.js';
import { openClient } from './login/session.js';
import { serverOf } from './login/with-server.js';

/** Signs the user of the shell out at a gatehouse, and forgets the tokens. */
export const logout: Command = {
  name: 'logout',
  help: `Usage: gatehouse logout [URL]

Revokes your tokens for the gatehouse at URL (default: that of the latest login): the access token at
the gatehouse, and the refresh token at the identity provider. Then removes both from this machine,
also if one of them cannot be revoked.

Exit codes: 0 signed out, or not signed in, 1 the tokens are removed but could not be revoked.`,
  async run(args, io) {
    const { positionals } = parsePositionals(args, {});
    const url = serverOf(positionals);
    const keyring = openKeyring(io.env);
    return keyring.locked(async () => {
      const found = await keyring.find(url);
      if (!found) {
        io.out(url === undefined ? 'you are not signed in\n' : `you are not signed in at ${url}\n`);
        return EXIT.ok;
      }
      const failures = await revokeAll(found.url, found.entry);
      await keyring.remove(found.url);
      report(failures, io);
      io.out(`signed out at ${found.url}\n`);
      return failures.length === 0 ? EXIT.ok : EXIT.failed;
    });
  },
};

function report(failures: readonly string[], io: CommandIo): void {
  for (const failure of failures) io.err(`gatehouse logout: ${failure}\n`);
}

/** Revokes both tokens. Returns the reasons why one of them stays valid until it expires. */
async function revokeAll(url: string, entry: KeyringEntry): Promise<readonly string[]> {
  const ca = await readCa(entry.caFile).catch(() => undefined);
  const attempts = [revokeAccess(url, entry, ca), revokeRefresh(entry, ca)];
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result) => (result.status === 'rejected' ? [messageOf(result.reason)] : []));
}

async function revokeAccess(
  url: string,
  { accessToken }: KeyringEntry,
  ca: string | undefined,
): Promise<void> {
  const http = openHttpClient(ca === undefined ? {} : { tls: { ca } });
  try {
    await createGateway(url, http).revoke(accessToken);
  } finally {
    await http.close();
  }
}

async function revokeRefresh(
  { provider, refreshToken }: KeyringEntry,
  ca: string | undefined,
): Promise<void> {
  if (!provider || refreshToken === undefined) return;
  const client = openClient(provider, ca);
  try {
    await client.revoke(refreshToken);
  } catch (error) {
    const reason = error instanceof ClientFailure ? error.message : 'unknown';
    throw new Error(`the refresh token could not be revoked at ${provider.issuer}: ${reason}`, {
      cause: error,
    });
  } finally {
    await client.close();
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : 'unknown';
}
