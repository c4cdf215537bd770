import { resolve } from 'node:path';
import { ClientFailure } from '../../auth/oidc/client-failure.js';
import type { ShellProvider } from '../../core/sign-in.js';
import { openHttpClient } from '../../upstream/client.js';
import { type Command, type CommandIo, EXIT, parsePositionals, UsageError } from '../lib/command.js';
import { signInAt } from './flows.js';
import {
  type CallerIdentity,
  createGateway,
  type Gateway,
  type LoginMethods,
  Refusal,
  serverUrl,
} from './gateway.js';
import { expiryOf, type KeyringEntry, openKeyring, readCa } from './keyring.js';
import { entryOf, openClient } from './session.js';
import { serverOf, withServer } from './with-server.js';

/** Shows who the user of the shell is for a gatehouse. */
export const whoami: Command = {
  name: 'whoami',
  help: `Usage: gatehouse whoami [URL] [--json]

Asks the gatehouse at URL (default: that of the latest login) who you are, and prints your name, the
issuer of your token and your roles.

Options:
  --json          print a JSON object

Exit codes: 0 signed in, 77 not signed in or refused, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, { json: { type: 'boolean', default: false } });
    return withServer({ command: 'whoami', url: serverOf(positionals), io }, async ({ gateway, session }) => {
      const { accessToken, expiresAt, refreshToken } = session.entry;
      const { username, provenance: issuer, roles } = await gateway.whoAmI(accessToken);
      const { url } = session;
      const expires = new Date(expiresAt).toISOString();
      const isRenewed = refreshToken !== undefined;
      if (values.json)
        io.out(`${JSON.stringify({ url, username, issuer, roles, expires, isRenewed }, null, 2)}\n`);
      else
        io.out(`${username}
  server  ${url}
  issuer  ${issuer === 'local_aaa' ? 'the server itself' : issuer}
  roles   ${roles.length === 0 ? 'none' : roles.join(', ')}
  token   valid until ${expires}${isRenewed ? '; it is renewed before that' : ''}
`);
      return EXIT.ok;
    });
  },
};

interface LoginOptions {
  readonly issuer?: string | undefined;
  readonly username?: string | undefined;
  readonly ca?: string | undefined;
  readonly device: boolean;
  readonly browser: boolean;
}

/** Signs a person in at a gatehouse, and keeps the tokens for the other commands. */
export const login: Command = {
  name: 'login',
  help: `Usage: gatehouse login URL [--issuer NAME] [--device | --browser] [--ca FILE]
       gatehouse login URL --username NAME [--ca FILE]

Signs you in at the gatehouse at URL, with its identity provider or with a name and a password. The
command learns from the gatehouse which identity provider and which client to use. It shows an
address and a code for a browser on any device (RFC 8628). If the identity provider does not offer
that, the command waits for a browser on this machine (RFC 8252).

The tokens are stored in gatehouse/tokens.json in $XDG_CONFIG_HOME (default: ~/.config), which only you
can read, and are renewed automatically. Use them, for example, with curl:

  gatehouse token --for-curl | curl -K - URL/whoami

Options:
  --issuer NAME    identity provider, by its name or its issuer; needed if there are several
  --device         show an address and a code, and do nothing else if that is not possible
  --browser        use a browser on this machine
  --username NAME  log in with a password, which is read from the terminal or from standard input
  --ca FILE        PEM file of the CAs to trust for the gatehouse and its identity provider

Exit codes: 0 signed in, 77 refused, 1 any other failure.`,
  async run(args, io) {
    const { positionals, values } = parsePositionals(args, {
      issuer: { type: 'string' },
      username: { type: 'string' },
      ca: { type: 'string' },
      device: { type: 'boolean', default: false },
      browser: { type: 'boolean', default: false },
    });
    const [target, ...others] = positionals;
    if (target === undefined || others.length > 0)
      throw new UsageError('name one server, for example: gatehouse login https://gateway.example');
    if (values.device && values.browser) throw new UsageError('choose one of --device and --browser');
    const caFile = values.ca === undefined ? undefined : resolve(values.ca);
    const ca = await readCa(caFile);
    const http = openHttpClient(ca === undefined ? {} : { tls: { ca } });
    try {
      const gateway = createGateway(serverUrl(target), http);
      const trust = { ...(ca !== undefined && { ca }), ...(caFile !== undefined && { caFile }) };
      return await logIn({ gateway, options: values, trust, io });
    } finally {
      await http.close();
    }
  },
};

interface LoginInput {
  readonly gateway: Gateway;
  readonly options: LoginOptions;
  readonly trust: { readonly ca?: string; readonly caFile?: string };
  readonly io: CommandIo;
}

async function logIn(input: LoginInput): Promise<number> {
  const { gateway, options, io } = input;
  try {
    const methods = await gateway.methods();
    const entry =
      options.username === undefined
        ? await logInAtProvider(chooseProvider(methods, options, gateway.url), input)
        : await logInWithPassword(methods, options.username, input);
    const caller = await gateway.whoAmI(entry.accessToken).catch(explainRefusal(entry));
    const keyring = openKeyring(io.env);
    await keyring.locked(() => keyring.keep(gateway.url, entry, { isLogin: true }));
    io.out(`signed in at ${gateway.url} as ${describeCaller(caller)}\n`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.err(`gatehouse login: ${error.message}\n`);
    return EXIT.denied;
  }
}

export function describeCaller({ username, roles }: CallerIdentity): string {
  return `${username}, ${roles.length === 0 ? 'without a role' : `with the roles ${roles.join(', ')}`}`;
}

function chooseProvider(
  { issuers, password }: LoginMethods,
  { issuer: wanted }: LoginOptions,
  url: string,
): ShellProvider {
  const fitting = issuers.filter(
    ({ issuer, name }) => wanted === undefined || [issuer, name].includes(wanted),
  );
  const [provider, ...others] = fitting;
  const names = issuers.map(({ name, issuer }) => `"${name}" (${issuer})`).join(', ');
  if (provider && others.length === 0) return provider;
  if (provider) throw new UsageError(`choose an identity provider with --issuer: ${names}`);
  if (issuers.length > 0)
    throw new UsageError(`there is no identity provider "${wanted ?? ''}"; there are: ${names}`);
  if (password) throw new UsageError(`${url} takes a name and a password: add --username NAME`);
  throw new Error(
    `${url} offers no sign-in at a shell. Its operator can set auth.issuers[].cli (see docs/how-to/sign-in-from-a-shell.md).`,
  );
}

async function logInAtProvider(
  { issuer, clientId, name, scopes }: ShellProvider,
  { options, trust: { ca, caFile }, io }: LoginInput,
): Promise<KeyringEntry> {
  const provider = { issuer, clientId };
  const client = openClient(provider, ca);
  try {
    const flow = options.device ? 'device' : options.browser ? 'browser' : undefined;
    const tokens = await signInAt({ client, name, scopes, ...(flow && { flow }), io });
    return entryOf(tokens, { provider, ...(caFile !== undefined && { caFile }) });
  } finally {
    await client.close();
  }
}

async function logInWithPassword(
  { password: isAccepted }: LoginMethods,
  username: string,
  { gateway, trust: { caFile }, io }: LoginInput,
): Promise<KeyringEntry> {
  if (!isAccepted) throw new UsageError(`${gateway.url} has no users with passwords; leave out --username`);
  const password = (await io.readPassword('Password: ')).replace(/\r?\n$/, '');
  const accessToken = await gateway.logIn(username, password);
  const expiresAt = expiryOf(accessToken) ?? 0;
  return { accessToken, expiresAt, username, ...(caFile !== undefined && { caFile }) };
}

/** Creates a handler that explains why a server refuses the token of its identity provider. */
function explainRefusal({ provider }: KeyringEntry): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Refusal) || error.status !== 401 || !provider) throw error;
    throw new Refusal(
      error.status,
      `you signed in at ${provider.issuer}, but the server does not accept the access token of the client ` +
        `"${provider.clientId}". Usually its audience is missing: the log of the server has the reason.`,
    );
  };
}

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
