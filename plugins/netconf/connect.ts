import { readFile } from 'node:fs/promises';
import type { AdapterContext } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { REPLY_MEMORIES } from '../../src/core/reply-memory.js';
import type { Scheduler } from '../../src/lib/clock.js';
import { type HostKeys, knownHostKeys, pinnedKeys } from './host-key.js';
import type { NetconfOptions, SshOptions, TlsOptions } from './options.js';
import type { ReaderThreads } from './reader-threads.js';
import { type Connected, openSession, type Session, type SessionSettings } from './session.js';
import { connectSsh } from './ssh-transport.js';
import { connectTls } from './tls-transport.js';

/** Maximum nesting of elements in a message. */
const MAX_DEPTH = 128;

/** Context in which an adapter opens its sessions. */
interface SessionContext extends Pick<AdapterContext, 'name' | 'connect'> {
  readonly threads: ReaderThreads;
  readonly scheduler: Scheduler;
}

/**
 * Connects to the server and opens a session. Throws a Problem, `upstream_timeout` if the session is not open within `connectMs`: this
 * one limit holds for the connection, the login, the subsystem and the hello together.
 */
export async function connectSession(
  options: NetconfOptions,
  context: SessionContext,
  signal: AbortSignal,
): Promise<Session> {
  const { host, port, tls, connectMs } = options;
  const stopper = new AbortController();
  const onAbort = (): void => {
    stopper.abort(signal.reason);
  };
  let awaited = `${tls ? 'TLS' : 'SSH'} connection to ${host}:${port}`;
  const cancel = context.scheduler.after(connectMs, () => {
    stopper.abort(new Problem('upstream_timeout', `no ${awaited} within ${connectMs} ms`));
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const connected = await connectTransport(options, context.connect, stopper.signal);
    awaited = 'hello';
    return await openSession(connected, sessionSettings(options, context), stopper.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

function sessionSettings(
  { maxReplyBytes: maxBytes, unknownNodes, chunkedFraming }: NetconfOptions,
  { name: owner, threads, scheduler }: SessionContext,
): SessionSettings {
  const terms = { owner, bytes: maxBytes, depth: MAX_DEPTH, unknownNodes };
  return {
    read: (task) => threads.read(task, terms),
    memory: REPLY_MEMORIES.open(owner),
    maxBytes,
    offersChunks: chunkedFraming,
    scheduler,
  };
}

async function connectTransport(
  options: NetconfOptions,
  connect: AdapterContext['connect'],
  signal: AbortSignal,
): Promise<Connected> {
  const { host, port, ssh, tls, connectMs, keepaliveMs } = options;
  const address = { host, port, connectMs, keepaliveMs };
  if (tls) return connectTls({ ...address, ...(await certificatesOf(tls)) }, connect, signal);
  if (!ssh) throw new Problem('adapter_unavailable', 'the options have neither "ssh" nor "tls"');
  const { username, password, privateKey, passphrase } = ssh;
  const hostKeys = await hostKeysOf(ssh, options);
  return connectSsh(
    {
      ...address,
      username,
      hostKeys,
      ...(password && { password }),
      ...(privateKey && { privateKey }),
      ...(passphrase && { passphrase }),
    },
    connect,
    signal,
  );
}

async function hostKeysOf(
  { hostKeys = [], knownHosts }: SshOptions,
  { host, port }: NetconfOptions,
): Promise<HostKeys> {
  if (knownHosts === undefined) return pinnedKeys(hostKeys);
  return knownHostKeys(await readText(knownHosts, 'ssh.knownHosts'), host, port);
}

async function certificatesOf({ caFile, certFile, key, serverName }: TlsOptions) {
  const [ca, cert] = await Promise.all([readText(caFile, 'tls.caFile'), readText(certFile, 'tls.certFile')]);
  return { ca, cert, key, ...(serverName !== undefined && { serverName }) };
}

async function readText(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('adapter_unavailable', `the file of the option "${option}" cannot be read`, { cause });
  }
}
