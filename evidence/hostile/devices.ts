import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createNetconfDouble, type DoubleSession, helloWith } from '../../test/support/netconf-double.js';
import { ask } from '../floods/ask.js';
import {
  longestStop,
  observerOf,
  type Sample,
  startObserver,
  type Stop,
  stopLimitMs,
} from '../floods/observation.js';
import { MEMORY_MB, startTarget, type Target } from '../floods/target.js';
import type { Findings } from '../report.js';
import { dataWith, DEVICE_ATTACKS, type DeviceAttack } from './device-attacks.js';

interface DevicesOptions {
  /** True reads messages in the main thread, without limits. */
  readonly isLifted: boolean;
  /** Selects the attacks; all by default. */
  readonly among?: (name: string) => boolean;
  /** Called with a row of the table, and with its head first. */
  readonly tell?: (row: string) => void;
}

/** gatehouse collects the garbage of its start after ten seconds. */
const WARM_MS = 12_000;
const BASELINE_MS = 4_000;
const MARGIN_MS = 300;
/** Time after which the device must be usable again: the pauses between attempts to connect are up to a minute. */
const MOST_RECOVERY_MS = 120_000;
const MOST_MEMORY = 0.9;
/** How often an attack is repeated that seems to stop the event loop. */
const REPETITIONS = 2;

const MODULE = 'module d { namespace "urn:d"; prefix d; container c { leaf s { type string; } } }';
const BASE = 'urn:ietf:params:netconf:base:1.1';
const USUAL: DeviceAttack = { name: 'as usual' };

/** A device whose behavior changes. */
interface Device {
  readonly adapter: string;
  /** Behaves so from now on, and ends all sessions. */
  readonly become: (attack: DeviceAttack) => void;
  close(): Promise<void>;
}

async function openDevice(): Promise<Device> {
  let current = USUAL;
  const sessions = new Set<DoubleSession>();
  const textOf = (name: string): string | undefined =>
    current.modules ? current.modules[name]?.() : { d: MODULE }[name];
  const double = await createNetconfDouble({
    capabilities: [BASE],
    schemas: new Proxy({}, { get: (_, name) => textOf(String(name)) }),
    onConnect(session) {
      sessions.add(session);
      const names = Object.keys(current.modules ?? { d: '' });
      if (current.hello) current.hello(session);
      else session.write(`${helloWith([BASE, ...names.map((name) => `urn:${name}?module=${name}`)])}]]>]]>`);
    },
    onOperation(_operation, session, messageId) {
      if (current.answer) current.answer(session, messageId);
      else session.send(dataWith(messageId, '<s>a</s>'));
      return undefined;
    },
  });
  const ssh = `{ username: gatehouse, password: a-password, hostKeys: ['${double.fingerprint}'] }`;
  return {
    adapter: `plugin: netconf
baseUrl: https://127.0.0.1
timeouts: { totalMs: 30000 }
options: { host: 127.0.0.1, port: ${double.port}, connectMs: 10000, ssh: ${ssh} }
`,
    become(attack) {
      current = attack;
      for (const session of sessions) session.drop();
      sessions.clear();
    },
    close: () => double.close(),
  };
}

async function read(target: Target): Promise<number> {
  const { status } = await ask(target, {
    method: 'POST',
    path: '/orchestrator_manager/restQuery/device',
    token: target.adminToken,
    body: { params: { path: '/restconf/data/d:c', accept: 'application/json' } },
  });
  return status;
}

/** What became of one attack. */
interface Met {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
  readonly from: number;
  readonly to: number;
  readonly peakMb: number;
  /** Milliseconds until the device could be read again; absent: it could not. */
  readonly recoveredMs: number | undefined;
}

async function meet(target: Target, device: Device, attack: DeviceAttack): Promise<Met> {
  const memory = watchMemory(target.pid);
  const from = Date.now();
  device.become(attack);
  await pause(MARGIN_MS);
  const status = await read(target);
  const ms = Date.now() - from - MARGIN_MS;
  device.become(USUAL);
  const recoveredMs = await recover(target);
  return { name: attack.name, status, ms, from, to: Date.now(), peakMb: memory.stop(), recoveredMs };
}

async function recover(target: Target): Promise<number | undefined> {
  const from = Date.now();
  while (Date.now() - from < MOST_RECOVERY_MS && target.isAlive()) {
    if ((await read(target)) === 200) return Date.now() - from;
    await pause(MARGIN_MS);
  }
  return undefined;
}

function watchMemory(pid: number): { readonly stop: () => number } {
  let mostMb = 0;
  const look = (): void => {
    try {
      const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
      mostMb = Math.max(mostMb, Math.round(Number(kb) / 1024));
    } catch {
      // The process has ended.
    }
  };
  const timer = setInterval(look, 50);
  return {
    stop() {
      clearInterval(timer);
      look();
      return mostMb;
    },
  };
}

/** Statuses that the API documents for a reply that cannot be used, and for one that does not come. */
const REFUSALS = [502, 503, 504];
/** Status for a path that the modules of the device do not have, if they could be read. */
const UNKNOWN_PATH = 404;

function wrongOf(
  { name, status, recoveredMs }: Met,
  { isAnswered = false, modules }: DeviceAttack,
): readonly string[] {
  const isData = status === 200;
  const isRefusal = REFUSALS.includes(status) || (modules !== undefined && status === UNKNOWN_PATH);
  const isRight = isAnswered === 'maybe' ? isData || isRefusal : isAnswered ? isData : isRefusal;
  return [
    ...(isRight ? [] : [`${name}: answered ${status}`]),
    ...(recoveredMs === undefined ? [`${name}: the device could not be read again`] : []),
  ];
}

/** What was seen of all attacks. */
interface Seen {
  readonly met: readonly Met[];
  readonly baseline: Period;
  readonly samples: readonly Sample[];
  readonly isAlive: boolean;
  readonly peakMb: number;
  readonly limitedBy: string;
}

type Period = Pick<Met, 'from' | 'to'>;

async function attackAll(attacks: readonly DeviceAttack[], isLifted: boolean): Promise<Seen> {
  const device = await openDevice();
  const target = await startTarget({ isLifted, adapters: { device: device.adapter } });
  const observer = startObserver(observerOf(target));
  await pause(WARM_MS);
  const from = Date.now();
  await pause(BASELINE_MS);
  const baseline = { from, to: Date.now() };
  const met: Met[] = [];
  const stopIn = async (period: Period): Promise<number> => stopOf(await observer.look(), period).ownMs;
  const mostMs = stopLimitMs(stopOf(await observer.look(), baseline));
  for (const attack of attacks) {
    if (!target.isAlive()) break;
    let one = await meet(target, device, attack);
    // A stop by the attack recurs; one by other work of the machine does not.
    for (let again = 0; again < REPETITIONS && (await stopIn(one)) > mostMs; again += 1)
      one = await meet(target, device, attack);
    met.push(one);
  }
  const isAlive = target.isAlive();
  const samples = await observer.stop();
  const { peakMb } = target.memory();
  const { limitedBy } = target;
  await Promise.all([target.stop(), device.close()]);
  return { met, baseline, samples, isAlive, peakMb, limitedBy };
}

function stopOf(samples: readonly Sample[], { from, to }: Period): Stop {
  return longestStop(samples.filter(({ at }) => at >= from && at < to));
}

const HEAD = `| attack of a device | answer | stop (on the clock) | memory | read again |
| --- | --- | --- | --- | --- |`;

/**
 * S7, L8: attacks gatehouse, as it is shipped and in 1 GiB, through a NETCONF device: each attack ends in a documented error or in
 * data, stops the event loop no longer than permitted, and the next read succeeds.
 */
export async function measureDevices({
  isLifted,
  among = () => true,
  tell,
}: DevicesOptions): Promise<Findings> {
  const attacks = DEVICE_ATTACKS.filter(({ name }) => among(name));
  const { met, baseline, samples, isAlive, peakMb, limitedBy } = await attackAll(attacks, isLifted);
  const alone = stopOf(samples, baseline);
  const mostMs = stopLimitMs(alone);
  const stops = met.map((one) => ({ ...one, ...stopOf(samples, one) }));
  tell?.(HEAD);
  for (const { name, status, ms, ownMs, wallMs, peakMb: mb, recoveredMs = '-' } of stops)
    tell?.(`| ${name} | ${status}, ${ms} ms | ${ownMs} (${wallMs}) ms | ${mb} MB | ${recoveredMs} ms |`);
  const wrong = [
    ...met.flatMap((one, at) => wrongOf(one, attacks[at] ?? USUAL)),
    ...(isAlive ? [] : [`the process ended during: ${met.at(-1)?.name ?? ''}`]),
    ...(peakMb > MEMORY_MB * MOST_MEMORY ? [`memory rose to ${peakMb} MB`] : []),
    ...stops
      .filter(({ ownMs }) => ownMs > mostMs)
      .map(({ name, ownMs }) => `${name}: stopped for ${ownMs} ms`),
  ];
  const [longest] = [...stops].sort((one, other) => other.ownMs - one.ownMs);
  return {
    holds: wrong.length === 0,
    figures: {
      ...{ attacks: met.length, wrong, longestMs: longest?.ownMs, longest: longest?.name, mostMs },
      ...{ baselineMs: alone.ownMs, peakMb, limitMb: MEMORY_MB, limitedBy },
    },
  };
}
