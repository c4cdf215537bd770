import type { AdapterContext, ConnectTarget } from '../../src/core/adapter.js';
import { Problem, refusedCredentials } from '../../src/core/problem.js';
import type { Secret } from '../../src/core/secret.js';
import type { ByteTunnel } from '../../src/core/stream.js';
import { transportFailureOf } from '../../src/core/transport-failure.js';
import { oneLine } from '../../src/lib/one-line.js';
import { destroyLater } from './destroy-later.js';
import type { HostKeys } from './host-key.js';
import type { Connected } from './session.js';
import {
  createSshClient,
  type SshChannel,
  type SshClient,
  type SshConfig,
  type SshError,
} from './ssh-client.js';
import { guardSsh, type SshGuard } from './ssh-guard.js';

/** Settings of an SSH connection. */
interface SshSettings extends ConnectTarget {
  readonly username: string;
  readonly password?: Secret;
  readonly privateKey?: Secret;
  readonly passphrase?: Secret;
  readonly hostKeys: HostKeys;
  readonly keepaliveMs: number;
}

/**
 * Logs in by SSH and opens the subsystem `netconf` (RFC 6242). Sends no credentials to a server whose host key is not accepted. Throws
 * `upstream_auth` for refused credentials, and `upstream_unreachable` for every other failure. Only the signal limits the time of the
 * login and the subsystem.
 */
export async function connectSsh(
  settings: SshSettings,
  connect: AdapterContext['connect'],
  signal: AbortSignal,
): Promise<Connected> {
  const socket = await connect(settings, signal);
  const client = createSshClient();
  let refusal: string | undefined;
  return new Promise<Connected>((resolve, reject) => {
    const fail = (problem: Problem): void => {
      signal.removeEventListener('abort', onAbort);
      client.destroy();
      guard.sock.destroy();
      reject(problem);
    };
    const guard = guardSsh(socket, fail);
    const onAbort = (): void => {
      fail(
        signal.reason instanceof Problem ? signal.reason : unreachable('the connection was not open in time'),
      );
    };
    client.on('error', (error) => {
      fail(refusal === undefined ? problemOf(error, settings) : unreachable(refusal));
    });
    client.on('close', () => {
      fail(unreachable('the server closed the SSH connection'));
    });
    client.on('ready', () => {
      client.setNoDelay(true);
      openSubsystem(client, { ...settings, guard }, (opened) => {
        if (opened instanceof Problem) {
          fail(opened);
          return;
        }
        signal.removeEventListener('abort', onAbort);
        resolve(opened);
      });
    });
    answerPrompts(client, settings.password);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      client.connect(
        configOf(settings, guard.sock, (key) => {
          refusal = settings.hostKeys.refusal(key);
          return refusal === undefined;
        }),
      );
    } catch (cause) {
      fail(new Problem('upstream_auth', keyFault(cause), { isUnsent: true }));
    }
  });
}

function configOf(
  settings: SshSettings,
  sock: ByteTunnel,
  hostVerifier: (key: Buffer) => boolean,
): SshConfig {
  const { username, password, privateKey, passphrase, keepaliveMs } = settings;
  const types = settings.hostKeys.types.flatMap(signaturesOf);
  return {
    sock,
    username,
    ...(password && { password: password.reveal(), tryKeyboard: true }),
    ...(privateKey && { privateKey: privateKey.reveal() }),
    ...(passphrase && { passphrase: passphrase.reveal() }),
    readyTimeout: 0,
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax: 3,
    hostVerifier,
    // Otherwise a server may present a key of another type than the known one.
    algorithms: { kex: KEY_EXCHANGES, serverHostKey: types.length > 0 ? types : SIGNATURES },
  };
}

/**
 * Key exchanges that take few milliseconds. Not among them is `diffie-hellman-group-exchange-sha256`: the server chooses the prime, and
 * Node.js tests it in the main thread, for 2 seconds with 3,072 bits and 5 seconds with 4,096 bits, before the host key is known.
 */
const KEY_EXCHANGES = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group15-sha512',
  'diffie-hellman-group16-sha512',
];

/** Signature algorithms of host keys. SHA-1 is not among them. */
const SIGNATURES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

/** Returns the signature algorithms of a type of key. */
function signaturesOf(type: string): readonly string[] {
  if (type === 'ssh-rsa') return ['rsa-sha2-512', 'rsa-sha2-256'];
  return SIGNATURES.includes(type) ? [type] : [];
}

/** Answers hidden prompts with the password, for servers that ask for it this way. */
function answerPrompts(client: SshClient, password: Secret | undefined): void {
  if (!password) return;
  client.on('keyboard-interactive', (...[, , , prompts, finish]) => {
    finish(prompts.map(({ echo }) => (echo ? '' : password.reveal())));
  });
}

/** Server, and what carries its channel. */
interface SubsystemTerms extends Pick<SshSettings, 'host' | 'port'> {
  readonly guard: SshGuard;
}

function openSubsystem(
  client: SshClient,
  { host, port, guard }: SubsystemTerms,
  done: (opened: Connected | Problem) => void,
): void {
  client.subsys('netconf', (error, channel: SshChannel) => {
    if (error) {
      done(unreachable(`${host}:${port} has no subsystem "netconf"`));
      return;
    }
    const close = (): void => {
      channel.end();
      client.end();
      destroyLater(guard.sock);
    };
    // Errors and the end of the connection reach the session as the end of its stream.
    client.on('error', () => channel.destroy());
    client.on('close', () => channel.destroy());
    done({ stream: channel, close, onData: guard.watch(channel) });
  });
}

function problemOf(error: SshError, { host, port }: SshSettings): Problem {
  if (error.level === 'client-authentication')
    return new Problem('upstream_auth', refusedCredentials('refused the SSH login'), {
      cause: error,
      isUnsent: true,
    });
  const words = transportFailureOf(error)?.words ?? oneLine(error.message, 200);
  return new Problem('upstream_unreachable', `no SSH connection to ${host}:${port}: ${words}`, {
    cause: error,
  });
}

function keyFault(cause: unknown): string {
  const reason = cause instanceof Error ? oneLine(cause.message, 100) : 'unknown';
  return `the private key cannot be used: ${reason}`;
}

function unreachable(detail: string): Problem {
  return new Problem('upstream_unreachable', detail);
}
