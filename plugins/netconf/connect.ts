import { readFile } from 'node:fs/promises';
import type { AdapterContext } from '../../src/core/adapter.js';
import { monotonicScheduler } from '../../src/core/lib/clock.js';
import { Problem } from '../../src/core/problem.js';
import { type HostKeys, knownHostKeys, pinnedKeys } from './host-key.js';
import type { NetconfOptions, SshOptions, TlsOptions } from './options.js';
import { type Connected, openSession, type Session } from './session.js';
import { connectSsh } from './ssh-transport.js';
import { connectTls } from './tls-transport.js';

/** Maximum nesting and number of elements in a message. */
const XML_LIMITS = { depth: 128, nodes: 4_000_000 };

/** Connects to the server and opens a session. Throws a Problem. */
export async function connectSession(
  options: NetconfOptions,
  connect: AdapterContext['connect'],
  signal: AbortSignal,
): Promise<Session> {
  const { connectMs, maxReplyBytes } = options;
  const connected = await connectTransport(options, connect, signal);
  const limits = { ...XML_LIMITS, bytes: maxReplyBytes };
  return openSession(connected, { limits, helloMs: connectMs, scheduler: monotonicScheduler }, signal);
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
