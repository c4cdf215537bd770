import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contender.js';
import { type PauseHistogram, pauseHistograms, type PauseRecording } from './pauses.js';
import { type Course, measureOne, startContender } from './rounds.js';

/** Milliseconds after the start until gatehouse has collected its garbage once, which no call repeats. */
const SETTLED_MS = 12_000;

const PRELOAD = new URL('pauses-preload.js', import.meta.url);

/**
 * Starts a contender once more, with the preload that records its pauses, and returns those of an open loop at
 * this rate. Rounds that are compared run without the preload.
 */
export async function observePauses(
  course: Course,
  contender: Contender,
  rate: number,
): Promise<readonly PauseHistogram[]> {
  const [profile] = course.profiles;
  if (!profile) return [];
  const file = join(course.folder, `${contender.name}-pauses.json`);
  const preload = new URL(PRELOAD);
  preload.searchParams.set('file', file);
  const runner = await startContender(course, contender, preload.href);
  const settled = pause(SETTLED_MS);
  let window = { from: 0, to: 0 };
  try {
    const round = { ...course, round: 0, runners: [runner] };
    // The closed loop warms the process up.
    await measureOne(round, runner, { profile });
    await settled;
    const { outcome } = await measureOne(round, runner, { profile, rate });
    const to = Date.now();
    window = { from: to - outcome.seconds * 1000, to };
  } finally {
    await runner.program.stop();
  }
  // A process that had to be killed has written nothing.
  if (!existsSync(file)) return [];
  return pauseHistograms(JSON.parse(readFileSync(file, 'utf8')) as PauseRecording, window);
}
