import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.js';
import type { Job, Outcome } from './job.js';
import { Tally } from './tally.js';

/** Milliseconds between two requests of a stranger. */
const STRANGER_MS = 50;

/** Every connection asks again as soon as it is answered: what the contender can do at most, and what it costs. */
export async function closedLoop(job: Job): Promise<Outcome> {
  const tally = new Tally(job);
  const connections = Array.from({ length: job.connections }, () => new Connection(job.port));
  for (const connection of connections) keepAsking(connection, tally);
  const stranger = job.stranger === undefined ? undefined : sendStranger(job.port, job.stranger, tally);
  await pause(job.warmMs);
  tally.begin();
  await pause(job.measureMs);
  const outcome = tally.end();
  stranger?.end();
  for (const connection of connections) connection.end();
  return outcome;
}

function keepAsking(connection: Connection, tally: Tally): void {
  const ask = (): void => {
    const { request, keeps, judge } = tally.deal();
    connection.send(request, keeps, (reply) => {
      judge(reply);
      // A contender that is gone would be asked without end.
      if (reply) ask();
      else setTimeout(ask, STRANGER_MS);
    });
  };
  ask();
}

/** Somebody whose token has not the role asks now and then, while the others are served. */
function sendStranger(port: number, text: string, tally: Tally): Connection {
  const connection = new Connection(port);
  const request = Buffer.from(text);
  const ask = (): void => {
    connection.send(request, false, (reply) => {
      tally.judgeStranger(reply);
      setTimeout(ask, STRANGER_MS).unref();
    });
  };
  ask();
  return connection;
}
