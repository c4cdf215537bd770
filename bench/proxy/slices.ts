import type { Outcome } from './job.js';

/**
 * Returns the number of slices of a closed loop. Contenders take turns slice by slice: what else runs on the
 * machine changes within seconds, and would otherwise meet some of them alone.
 */
export function sliceCount(seconds: number): number {
  return Math.max(1, Math.round(seconds));
}

/** Adds up the outcomes of the slices of one measurement. Throws an Error without slices. */
export function mergeOutcomes(slices: readonly Outcome[]): Outcome {
  return slices.reduce((all, one) => {
    const seconds = all.seconds + one.seconds;
    return {
      replies: all.replies + one.replies,
      seconds,
      cpuMs: all.cpuMs + one.cpuMs,
      residentMb: Math.max(all.residentMb, one.residentMb),
      others: (all.others * all.seconds + one.others * one.seconds) / seconds,
      not200: all.not200 + one.not200,
      wrong: all.wrong + one.wrong,
      compared: all.compared + one.compared,
      different: all.different + one.different,
      strangers: {
        asked: all.strangers.asked + one.strangers.asked,
        refused: all.strangers.refused + one.strangers.refused,
      },
      ...((all.isCold ?? one.isCold) && { isCold: true }),
    };
  });
}
