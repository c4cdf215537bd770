import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Target, USER } from './target.js';

/** Requests of an observer; `ready` is the light request that measures stops of the event loop. */
export type ProbeKind = 'ready' | 'health' | 'call' | 'login';

/** Server and credentials of an observer. */
export interface ObserverInput {
  readonly port: number;
  /** Process of the server. */
  readonly pid: number;
  readonly token: string;
  readonly adapterId: string;
  readonly username: string;
  readonly password: string;
  /** Address from which the observer connects. */
  readonly from: string;
}

export interface Sample {
  readonly kind: ProbeKind;
  /** Time of the request, in milliseconds since the epoch. */
  readonly at: number;
  /** 0 without a reply. */
  readonly status: number;
  readonly ms: number;
  /** Processor time of the main thread of gatehouse until the reply; the same as `ms` if the system does not report it. */
  readonly ownMs: number;
}

interface Observer {
  /** Resolves to all samples so far. */
  readonly look: () => Promise<readonly Sample[]>;
  /** Stops the observer and resolves to all its samples. */
  readonly stop: () => Promise<readonly Sample[]>;
}

/** Message to an observer. */
export type ObserverMessage = 'look' | 'stop';

const OBSERVER = fileURLToPath(new URL('observer.js', import.meta.url));

/** The address of the observer, which no flood shares. */
const OBSERVER_ADDRESS = '127.9.0.2';

/** Returns the input for the observer of a target. */
export function observerOf({ port, pid, adminToken }: Target): ObserverInput {
  const { name: username, password } = USER;
  return { port, pid, token: adminToken, adapterId: 'light', username, password, from: OBSERVER_ADDRESS };
}

/** Starts an observer in a separate process. */
export function startObserver(input: ObserverInput): Observer {
  const child = fork(OBSERVER, [JSON.stringify(input)], { execArgv: [] });
  const ended = once(child, 'disconnect').then((): never => {
    throw new Error('the observer ended too early');
  });
  // The observer disconnects after its last samples as well.
  ended.catch(() => undefined);
  const tell = async (message: ObserverMessage): Promise<readonly Sample[]> => {
    const samples = once(child, 'message') as Promise<[readonly Sample[]]>;
    child.send(message);
    const [all] = await Promise.race([samples, ended]);
    return all;
  };
  return { look: () => tell('look'), stop: () => tell('stop') };
}

/** Part of the requests that were answered with 200, by kind; 1 without a request. */
export interface Availability {
  readonly health: number;
  readonly calls: number;
  readonly logins: number;
}

const SERVICES: Readonly<Record<keyof Availability, ProbeKind>> = {
  health: 'health',
  calls: 'call',
  logins: 'login',
};

/** Returns the availability in the samples. */
export function availabilityOf(samples: readonly Sample[]): Availability {
  const part = (name: keyof Availability): number => {
    const asked = samples.filter(({ kind }) => kind === SERVICES[name]);
    return asked.length === 0 ? 1 : round(asked.filter(isGood).length / asked.length, 1_000);
  };
  return { health: part('health'), calls: part('calls'), logins: part('logins') };
}

/**
 * Returns the services whose availability is below the limit. One request may fail in any case, unless all
 * must succeed.
 */
export function missingService(
  samples: readonly Sample[],
  least: Availability,
): readonly (keyof Availability)[] {
  return (Object.keys(SERVICES) as (keyof Availability)[]).filter((name) => {
    const asked = samples.filter(({ kind }) => kind === SERVICES[name]);
    const failed = asked.length - asked.filter(isGood).length;
    return failed > (least[name] === 1 ? 0 : Math.max(1, asked.length * (1 - least[name])));
  });
}

/** Longest answer to a light request, in milliseconds: of processor time, and on the clock. */
export interface Stop {
  readonly ownMs: number;
  readonly wallMs: number;
}

/** Longest stop of the event loop on a machine without other load. */
const MOST_STOP_MS = 50;

/**
 * Returns the factor by which the machine lengthens time limits, by the longest answer to a light request
 * without a flood, in milliseconds.
 */
export function noiseOf(baselineMs: number): number {
  return 1 + baselineMs / MOST_STOP_MS;
}

/** Returns how long the event loop may stop, in milliseconds, by the longest stop without a flood. */
export function stopLimitMs(baseline: Stop): number {
  return Math.round(MOST_STOP_MS * noiseOf(baseline.ownMs));
}

/** Returns the longest stop of the event loop in the samples. */
export function longestStop(samples: readonly Sample[]): Stop {
  const asked = samples.filter(({ kind }) => kind === 'ready');
  const longest = (read: (sample: Sample) => number): number => round(Math.max(0, ...asked.map(read)), 10);
  return { ownMs: longest(({ ownMs }) => ownMs), wallMs: longest(({ ms }) => ms) };
}

/**
 * Returns the time from `since` until the last request that was not answered with 200 had ended, in
 * milliseconds; 0 if there is none.
 */
export function recoveryMs(samples: readonly Sample[], since: number): number {
  const failed = samples.filter((sample) => sample.at >= since && sample.kind !== 'ready' && !isGood(sample));
  return Math.round(Math.max(0, ...failed.map(({ at, ms }) => at + ms - since)));
}

/**
 * Returns the longest period, in milliseconds, in which every call failed although readiness said 200
 * throughout.
 */
export function untrueReadinessMs(samples: readonly Sample[]): number {
  const ready = samples.filter(({ kind }) => kind === 'ready');
  let [longest, since, isTrue] = [0, Infinity, false];
  for (const call of samples.filter(({ kind }) => kind === 'call')) {
    const end = call.at + call.ms;
    if (isGood(call)) [since, isTrue] = [Infinity, false];
    else since = Math.min(since, call.at);
    isTrue ||= ready.some((one) => one.at >= since && one.at <= end && !isGood(one));
    if (!isTrue && since < end) longest = Math.max(longest, end - since);
  }
  return Math.round(longest);
}

function isGood({ status }: Sample): boolean {
  return status === 200;
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
