import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { asSentence, type ConnectionStep, hasFailed, runStep, StepFailure } from '../core/connection-test.js';
import type { TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { errorCodeOf, nameFailure } from '../core/transport-failure.js';
import type { Scheduler } from '../lib/clock.js';
import { untilAborted, withTimeout } from '../lib/timeout.js';
import type { AdapterSettings } from '../settings/adapter.js';
import {
  bareHost,
  type Connector,
  createConnector,
  type DialTarget,
  type InspectConnection,
} from './connect.js';
import { failureOf } from './failure.js';
import { testHandshake } from './test-handshake.js';

/** Settings and checks of the adapter whose connections are tested. */
interface NetworkTerms {
  readonly settings: AdapterSettings;
  readonly tls: TlsMaterial;
  /** Check of each connection that the adapter itself has; absent for an adapter of a file. */
  readonly inspect?: InspectConnection | undefined;
  readonly scheduler: Scheduler;
  readonly signal: AbortSignal;
  /** Returns the milliseconds since 1970, for the dates of certificates. */
  readonly now: () => number;
}

/** Maximum time of a step, even if the adapter allows more, in milliseconds. */
const MAX_STEP_MS = 10_000;

/**
 * Tests the name, the TCP connection and the TLS handshake of a base URL, with the connector and the checks of the adapter. Stops
 * at the first failure, closes every connection, and sends no request.
 */
export async function testNetwork(baseUrl: string, terms: NetworkTerms): Promise<readonly ConnectionStep[]> {
  const target = targetOf(baseUrl);
  const steps: ConnectionStep[] = [];
  for (const work of [testName, testTcp, testTls]) {
    if (!hasFailed(steps)) steps.push(await work(target, terms));
  }
  return steps;
}

function targetOf(baseUrl: string): DialTarget {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  return { hostname: bareHost(hostname), port: Number(port || (isSecure ? 443 : 80)), isSecure };
}

/** Returns the first peer of a connection: the proxy, or the target itself. */
function peerOf(target: DialTarget, { settings: { proxy } }: NetworkTerms): DialTarget {
  if (proxy === null) return target;
  const { hostname, port } = new URL(proxy);
  return { hostname: bareHost(hostname), port: Number(port || 80), isSecure: false };
}

/** Resolves the host as connections do, and applies the egress rules to its addresses. */
function testName(target: DialTarget, terms: NetworkTerms): Promise<ConnectionStep> {
  const { inspect, signal, scheduler, settings } = terms;
  const peer = peerOf(target, terms);
  return runStep('name', scheduler, async () => {
    const setting = settings.proxy === null ? 'base URL' : 'proxy';
    const addresses = await addressesOf(peer.hostname, { setting, signal, scheduler });
    const refusals = await Promise.all(addresses.map((address) => refusalOf(inspect?.(peer, address))));
    const [refusal] = refusals;
    if (refusal !== undefined && refusals.every((found) => found !== undefined))
      throw new StepFailure({ message: asSentence(refusal), fix: EGRESS_FIX });
    if (isIP(peer.hostname) !== 0) return { message: `${peer.hostname} is an address; no lookup is needed.` };
    return { message: `${peer.hostname} is ${addresses.join(', ')}.` };
  });
}

const EGRESS_FIX =
  'Use another address, or ask the operator of this server to open the address in egress.adapters.';

interface LookupTerms extends Pick<NetworkTerms, 'signal' | 'scheduler'> {
  /** Setting that contains the name. */
  readonly setting: string;
}

async function addressesOf(
  host: string,
  { setting, signal, scheduler }: LookupTerms,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const late = () => Promise.reject(lookupFailure(host, 'EAI_AGAIN', setting));
  try {
    const found = withTimeout(lookup(host, { all: true }), { ms: MAX_STEP_MS, scheduler, late });
    return (await untilAborted(found, signal)).map(({ address }) => address);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StepFailure) throw error;
    throw lookupFailure(host, error instanceof Error ? errorCodeOf(error) : '', setting);
  }
}

function lookupFailure(host: string, code: string, setting: string): StepFailure {
  const { words } = nameFailure(code);
  const fix =
    code === 'EAI_AGAIN'
      ? 'Check the name servers of the machine that gatehouse runs on.'
      : `Check the spelling of the host in the ${setting}, or add the name to the DNS of this server.`;
  return new StepFailure({ message: asSentence(`${words}: ${host}`), fix });
}

/** Returns why a check denies an address; `undefined` if it does not. */
async function refusalOf(check: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

function testTcp(target: DialTarget, terms: NetworkTerms): Promise<ConnectionStep> {
  const { inspect, signal, scheduler, settings } = terms;
  const peer = peerOf(target, terms);
  return runStep('tcp', scheduler, async () => {
    // The check sees the target as it sees the connections of the adapter, with TLS.
    const check: InspectConnection | undefined = inspect && ((_target, address) => inspect(peer, address));
    const connect = connectorOf({ ...terms, inspect: check });
    const socket = await withNetworkProblems(() => connect({ ...target, isSecure: false }, signal));
    const { remoteAddress = peer.hostname, remotePort = peer.port } = socket;
    socket.destroy();
    const proxy = settings.proxy === null ? '' : 'the proxy ';
    return { message: `Connected to ${proxy}${remoteAddress}, port ${remotePort}.` };
  });
}

function testTls(target: DialTarget, terms: NetworkTerms): Promise<ConnectionStep> {
  const { tls, scheduler, signal, now } = terms;
  return runStep('tls', scheduler, async () => {
    if (!target.isSecure)
      return {
        verdict: 'warning',
        message: 'The base URL starts with http://, so credentials and data are sent unencrypted.',
        fix: 'Use https:// if the orchestrator offers it.',
      };
    const connectWith = (material: TlsMaterial) => async () =>
      withNetworkProblems(() => connectorOf({ ...terms, tls: material })(target, signal));
    return testHandshake({ tls, connectWith, now });
  });
}

function connectorOf({ tls, settings, scheduler, inspect }: NetworkTerms): Connector {
  const { proxy, timeouts } = settings;
  const connectMs = Math.min(timeouts.connectMs, MAX_STEP_MS);
  return createConnector({ tls, connectMs, scheduler, inspect, ...(proxy !== null && { proxy }) });
}

/** Replaces the errors of sockets and of TLS by Problems, as calls of the adapter report them. */
async function withNetworkProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, { phase: 'connecting', owner: 'adapter' });
  }
}
