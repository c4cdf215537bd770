import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figure.js';
import { ask, Connection } from '../proxy/connection.js';
import { requestOf } from '../proxy/endpoint.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import { usageOf } from '../proxy/process-tree.js';
import type { Program } from '../proxy/program.js';
import {
  ENDPOINT,
  firstAnswer,
  load,
  newProgramOptions,
  type Part,
  type Setting,
  SMALL,
  smallCalls,
  assertCorrect,
  tokenOf,
} from './part.js';

/** Time after which temporary memory of the start is released. */
const IDLE_MS = 15_000;

/** Number of adapters and connections: large enough to measure the cost of each. */
const MANY = 1_000;

/**
 * Measures resident memory 15 seconds after the first reply, the memory of an adapter and of a connection,
 * and the memory after continuous calls.
 */
export const memory: Part = {
  name: 'memory',
  async measure(setting) {
    const idle = await withIdle(setting, 1, async (program, residentMb) => ({
      residentMb,
      ...(await connectionKb(setting, program)),
      underLoad: await underLoad(setting, program),
    }));
    const crowded = await withIdle(setting, MANY, (_program, residentMb) => Promise.resolve(residentMb));
    const adapterKb = ((crowded - idle.residentMb) * 1024) / (MANY - 1);
    return [
      { what: 'memory, idle', unit: 'MB', median: idle.residentMb, target: { most: 85 } },
      { what: 'memory under load', unit: 'MB', median: idle.underLoad, target: { most: 200 } },
      { what: `memory of an adapter, of ${MANY}`, unit: 'kB', median: adapterKb, target: { most: 20 } },
      { what: `memory of an idle connection, of ${MANY}`, unit: 'kB', median: idle.perConnectionKb },
    ] satisfies readonly Figure[];
  },
};

/** Runs a function with a server that has this number of adapters and has been idle for a while. */
async function withIdle<T>(
  setting: Setting,
  adapters: number,
  look: (program: Program, residentMb: number) => Promise<T>,
): Promise<T> {
  const program = await startGatehouse(await newProgramOptions(setting), { adapters });
  try {
    await firstAnswer(program.port, requestOf(ENDPOINT, SMALL, tokenOf(setting.issuer)));
    await pause(IDLE_MS);
    return await look(program, usageOf(program.pid).residentMb);
  } finally {
    await program.stop();
  }
}

/** Returns the memory of persistent connections that have each sent one request. */
async function connectionKb(
  { issuer }: Setting,
  { pid, port }: Program,
): Promise<{ readonly perConnectionKb: number }> {
  const request = Buffer.from(requestOf(ENDPOINT, SMALL, tokenOf(issuer)));
  const before = usageOf(pid).residentMb;
  const connections = Array.from({ length: MANY }, () => new Connection(port));
  for (const connection of connections) {
    const status = await ask(connection, request);
    if (status !== 200) throw new Error(`a connection that is to stay open got status ${status}`);
  }
  const perConnectionKb = ((usageOf(pid).residentMb - before) * 1024) / MANY;
  for (const connection of connections) connection.end();
  return { perConnectionKb };
}

async function underLoad({ issuer, seconds }: Setting, program: Program): Promise<number> {
  return assertCorrect(await load(program, smallCalls([tokenOf(issuer)]), 2 * seconds)).residentMb;
}
