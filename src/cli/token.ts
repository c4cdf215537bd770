import { MAX_LIFETIME_SECONDS, openLocalIssuer } from '../auth/local-issuer.js';
import { OPERATION_ROLES } from '../features/operations.js';
import { systemClock } from '../lib/clock.js';
import { createConfigLoader, settingsOf } from '../server/config-loader.js';
import { usedRoles } from '../server/state/unused-roles.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './lib/command.js';
import { serverUrl } from './login/gateway.js';
import { openKeyring } from './login/keyring.js';
import { NotSignedIn, openShellSession } from './login/session.js';

/** Prints the token of the latest login, or issues a token of the built-in issuer. */
export const token: Command = {
  name: 'token',
  help: `Usage: gatehouse token [--url URL] [--for-curl | --json]
       gatehouse token --role ROLE [--role ROLE] [--subject NAME] [--ttl SECONDS] [--config PATH] [--for-curl | --json]

Without --role, prints the access token of your login at a gatehouse (gatehouse login), renewed if
it expires soon. With --for-curl no list of processes shows the token:

  gatehouse token --for-curl | curl -K - https://gateway.example/adapters

With --role, issues a token of the built-in issuer, signed with the key file of auth.local. Every
user who can read that file can issue tokens. Use this for first steps and for scripts on the
server. For example:

  curl -H "Authorization: Bearer $(gatehouse token --role admin)" ...

Options:
  --url URL       gatehouse of the token (default: that of the latest login)
  --for-curl      print the header "Authorization" as a configuration file of curl
  --json          print {"token": TOKEN, "expiresAt": TIME}, with the time as RFC 3339
  --role ROLE     role such as admin, engineering or viewer; may be repeated; a role that opens
                  nothing is reported
  --subject NAME  subject of the token (default: operator)
  --ttl SECONDS   lifetime of the token, at most a day (default: auth.local.tokenTtlSeconds)
${CONFIG_OPTION_HELP}

Exit codes: 0 printed, 64 wrong usage, 77 not signed in, 78 a fault of the configuration or the key,
1 any other failure.`,
  async run(args, io) {
    const options = parseOptions(args, {
      url: { type: 'string' },
      'for-curl': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      role: { type: 'string', multiple: true },
      subject: { type: 'string' },
      ttl: { type: 'string' },
      config: { type: 'string' },
    });
    const print = ({ text, expiresAt }: PrintedToken): void => {
      const time = new Date(expiresAt).toISOString();
      if (options.json) io.out(`${JSON.stringify({ token: text, expiresAt: time })}\n`);
      // A token has no character that a configuration file of curl would escape.
      else io.out(options['for-curl'] ? `header = "Authorization: Bearer ${text}"\n` : `${text}\n`);
    };
    if (options.json && options['for-curl']) throw new UsageError('name --json or --for-curl, not both');
    if (options.role) {
      if (options.url !== undefined)
        throw new UsageError('--url is for the token of a login, without --role');
      print(await issueToken({ ...options, roles: options.role }, io));
      return EXIT.ok;
    }
    if (options.subject !== undefined || options.ttl !== undefined || options.config !== undefined)
      throw new UsageError('name at least one role, for example --role admin');
    return printOwnToken(options.url, print, io);
  },
};

interface PrintedToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

interface IssueOptions {
  readonly roles: readonly string[];
  readonly subject?: string | undefined;
  readonly ttl?: string | undefined;
  readonly config?: string | undefined;
}

async function issueToken(
  { roles, subject = 'operator', ttl, config }: IssueOptions,
  io: CommandIo,
): Promise<PrintedToken> {
  const { env } = io;
  const ttlSeconds = ttl === undefined ? {} : { ttlSeconds: seconds(ttl) };
  const loaded = await (await createConfigLoader({ configPath: configPath(config, env), env })).read();
  const { local } = settingsOf(loaded).auth;
  if (!local.enabled)
    throw new UsageError('auth.local.enabled is false: get a token from your identity provider');
  // Only the server creates the key: a running server would not know the key of this command.
  const issuer = await openLocalIssuer({ ...local, clock: systemClock, createKey: false });
  const issued = issuer.issue({ subject, roles, ...ttlSeconds });
  const used = usedRoles(loaded.desired, OPERATION_ROLES);
  for (const role of roles.filter((name) => !used.has(name)))
    io.err(
      `warning: the role "${role}" opens nothing that the configuration files name; roles that do: ${[...used].sort().join(', ')}\n`,
    );
  return { text: issued.token, expiresAt: issued.expiresAt };
}

async function printOwnToken(
  url: string | undefined,
  print: (token: PrintedToken) => void,
  io: CommandIo,
): Promise<number> {
  try {
    const { entry } = await openShellSession(openKeyring(io.env), url === undefined ? url : serverUrl(url));
    print({ text: entry.accessToken, expiresAt: entry.expiresAt });
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error;
    io.err(
      `gatehouse token: ${error.message}\nOn the server, name at least one role to issue a token, for example --role admin.\n`,
    );
    return EXIT.denied;
  }
}

function seconds(text: string): number {
  const ttl = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (ttl < 1 || ttl > MAX_LIFETIME_SECONDS)
    throw new UsageError(`--ttl takes a number of seconds from 1 to ${MAX_LIFETIME_SECONDS}`);
  return ttl;
}
