import { tableOf } from './table.js';

/** Pauses by kind, each with its start (milliseconds since 1970) and its length in milliseconds. */
export type PauseRecording = Record<string, (readonly [at: number, ms: number])[]>;

/** The time of a measurement, in milliseconds since 1970. */
interface PauseWindow {
  readonly from: number;
  readonly to: number;
}

/** Histogram of the pauses of one kind. */
export interface PauseHistogram {
  readonly kind: string;
  readonly count: number;
  /** Pauses by `PAUSE_BOUNDS_MS`; the last number counts those beyond all bounds. */
  readonly counts: readonly number[];
  readonly longestMs: number;
  /** Fraction of the time of the measurement. */
  readonly share: number;
}

/** Upper bounds of the histogram in milliseconds. */
const PAUSE_BOUNDS_MS = [0.2, 0.5, 1, 2, 5, 10, 20, 50] as const;

/** Returns the histograms of the pauses that began during a measurement. */
export function pauseHistograms(
  recording: PauseRecording,
  { from, to }: PauseWindow,
): readonly PauseHistogram[] {
  return Object.entries(recording).map(([kind, pauses]) => {
    const lengths = pauses.filter(([at]) => at >= from && at < to).map(([, ms]) => ms);
    const counts = [...PAUSE_BOUNDS_MS, Number.POSITIVE_INFINITY].map(
      (bound, at) =>
        lengths.filter((ms) => ms <= bound && ms > (PAUSE_BOUNDS_MS[at - 1] ?? Number.NEGATIVE_INFINITY))
          .length,
    );
    const total = lengths.reduce((sum, ms) => sum + ms, 0);
    const share = to > from ? total / (to - from) : 0;
    return { kind, count: lengths.length, counts, longestMs: Math.max(0, ...lengths), share };
  });
}

/** Returns the table of histograms: a row for each kind, a column for each bound. */
export function pauseTable(histograms: readonly PauseHistogram[]): readonly string[] {
  const beyond = `> ${PAUSE_BOUNDS_MS.at(-1) ?? 0}`;
  const head = [
    'pauses in ms',
    ...PAUSE_BOUNDS_MS.map((bound) => `<= ${bound}`),
    beyond,
    'longest',
    'of time',
  ];
  const rows = histograms.map(({ kind, counts, longestMs, share }) => [
    kind,
    ...counts.map((count) => (count === 0 ? '' : String(count))),
    longestMs.toFixed(1),
    `${(share * 100).toFixed(1)} %`,
  ]);
  return tableOf([head, ...rows]);
}
