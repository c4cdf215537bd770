import { openHttpClient } from '../../upstream/client.js';
import { type CommandIo, EXIT, UsageError } from '../lib/command.js';
import { createGateway, type Gateway, Refusal, serverUrl } from './gateway.js';
import { expiryOf, openKeyring, readCa } from './keyring.js';
import { NotSignedIn, openShellSession, type ShellSession } from './session.js';

/** Returns the server that a command line names; `undefined` for that of the latest login. */
export function serverOf(positionals: readonly string[]): string | undefined {
  const [target, ...others] = positionals;
  if (others.length > 0) throw new UsageError('name one server');
  return target === undefined ? undefined : serverUrl(target);
}

interface ServerTerms {
  /** Name of the command, for messages. */
  readonly command: string;
  readonly url: string | undefined;
  readonly io: CommandIo;
}

/** Returns the session of a pipeline, which has a token in its environment, or that of the user of the shell. */
function openSession(env: CommandIo['env'], url: string | undefined): Promise<ShellSession> {
  const { GATEHOUSE_URL = '', GATEHOUSE_TOKEN: token = '', GATEHOUSE_CA_FILE: caFile = '' } = env;
  const server = url ?? (GATEHOUSE_URL === '' ? undefined : serverUrl(GATEHOUSE_URL));
  if (token === '') return openShellSession(openKeyring(env), server);
  if (server === undefined)
    throw new UsageError('GATEHOUSE_TOKEN is set without its server: set GATEHOUSE_URL as well');
  const expiresAt = expiryOf(token) ?? Infinity;
  const entry = { accessToken: token, expiresAt, ...(caFile !== '' && { caFile }) };
  return Promise.resolve({ url: server, entry });
}

/**
 * Runs work with a server at which the user is signed in, and with fresh tokens. A refusal, and a user who is not
 * signed in, are messages with the exit code 77.
 */
export async function withServer(
  { command, url, io }: ServerTerms,
  work: (server: { readonly gateway: Gateway; readonly session: ShellSession }) => Promise<number>,
): Promise<number> {
  try {
    const session = await openSession(io.env, url);
    const ca = await readCa(session.entry.caFile);
    const http = openHttpClient(ca === undefined ? {} : { tls: { ca } });
    try {
      return await work({ gateway: createGateway(session.url, http), session });
    } finally {
      await http.close();
    }
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof NotSignedIn)) throw error;
    io.err(`gatehouse ${command}: ${error.message}\n`);
    return EXIT.denied;
  }
}
