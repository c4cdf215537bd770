import { setTimeout as pause } from 'node:timers/promises';
import { requestOf } from '../proxy/door.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import { usageOf } from '../proxy/process-tree.js';
import { DOOR, firstAnswer, load, newPlace, type Part, SMALL, smallCalls, soundly, tokenOf } from './part.js';

/** What a start leaves behind is gone by then. */
const IDLE_MS = 15_000;

/** Resident memory a quarter of a minute after the first answer, and after calls without pause. */
export const memory: Part = {
  name: 'memory',
  async measure(setting) {
    const program = await startGatehouse(await newPlace(setting));
    try {
      const token = tokenOf(setting.issuer);
      await firstAnswer(program.port, requestOf(DOOR, SMALL, token));
      await pause(IDLE_MS);
      const idle = usageOf(program.pid).residentMb;
      const { residentMb } = soundly(await load(program, smallCalls([token]), 2 * setting.seconds));
      return [
        { what: 'memory, idle', unit: 'MB', median: idle, target: { most: 90 } },
        { what: 'memory under load', unit: 'MB', median: residentMb, target: { most: 200 } },
      ];
    } finally {
      await program.stop();
    }
  },
};
