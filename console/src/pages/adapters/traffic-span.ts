import type { TrafficReply } from '../../api/observe.js';
import type { Span } from '../../kit/chart-shapes.js';

/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;

const CELL_MS = 300_000;

/**
 * Returns the time range of a `/console/traffic` reply, in whole cells; the last `lengthMs` if there is no
 * reply yet.
 */
export function spanOf(traffic: TrafficReply | undefined, lengthMs: number): Span {
  const cellMs = traffic ? traffic.cellSeconds * 1000 : CELL_MS;
  const to = traffic ? traffic.to : Date.now();
  const from = traffic ? traffic.from : to - lengthMs;
  return { from: Math.floor(from / cellMs) * cellMs, to: Math.ceil(to / cellMs) * cellMs, cellMs };
}
