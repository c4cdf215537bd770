import { type Figure, isMet } from '../figure.js';
import type { Abandoned } from './abandoned.js';
import type { ComparedQuantile, Lateness, Summary } from './figures.js';
import type { RoundSpread } from './round-spread.js';
import { range, ratio, tableOf } from './table.js';

/** Results that the targets are checked against. */
interface CheckedTarget {
  readonly summaries: readonly Summary[];
  readonly lateness: readonly Lateness[];
  readonly abandoned: Readonly<Record<string, Abandoned>>;
}

/** A figure of gatehouse with the least and the most of the rounds, if it was measured in each. */
interface TargetFigure extends Figure {
  readonly rounds?: RoundSpread;
}

/** Contenders whose replies are those of this build. */
const OWN = ['gatehouse', 'gatehouse-express'];

/** The most CPU time of an action relative to another contender; the first one is what the others are judged by. */
const CPU_TARGETS: readonly (readonly [name: string, title: string, most: number])[] = [
  ['envoy-lua', 'CPU to Envoy with Lua', 1],
  ['fastify', 'CPU to @fastify/http-proxy', 0.7],
  ['caddy', 'CPU to Caddy', 1],
  ['traefik', 'CPU to Traefik', 1],
  ['haproxy', 'CPU to HAProxy (stretch)', 1.6],
  ['usual', 'CPU to the usual recipe', 0.1],
];

/** The most latency relative to another contender; undefined compares without a target. */
const LATENCY_TARGETS: readonly (readonly [name: string, title: string, most: number | undefined])[] = [
  ['envoy-lua', 'Envoy with Lua', undefined],
  ['fastify', '@fastify/http-proxy', undefined],
  ['haproxy', 'HAProxy', 1.5],
];

/** Rates of the open loop that have targets. */
const RATES: readonly (readonly [rate: string, title: string])[] = [
  ['1000', 'at 1,000/s'],
  ['half', 'at half of capacity'],
];

/** Returns gatehouse's targets relative to the other contenders. Figures of skipped contenders are missing. */
export function targetFigures({ summaries, lateness, abandoned }: CheckedTarget): readonly TargetFigure[] {
  const action = summaries.find(
    ({ contender, profile }) => contender === 'gatehouse' && profile === 'action',
  )?.ratios;
  const own = summaries.filter(({ contender }) => OWN.includes(contender));
  const amiss = own.reduce((sum, { wrong, different, letIn }) => sum + wrong + different + letIn, 0);
  const figures = [
    ...CPU_TARGETS.map(([name, title, most]) => ratioFigure(title, action?.[name], most)),
    ...latencyFigures(lateness.filter(({ contender }) => contender === 'gatehouse')),
    countFigure('answers that were not right', amiss),
    countFigure('calls that never arrived, of callers who left', abandoned['gatehouse']?.missing),
    countFigure('calls held after their callers left', abandoned['gatehouse']?.held),
  ];
  return figures.filter(({ median }) => Number.isFinite(median));
}

function latencyFigures(own: readonly Lateness[]): readonly TargetFigure[] {
  const quantiles: readonly ComparedQuantile[] = ['p50', 'p99'];
  return LATENCY_TARGETS.flatMap(([name, other, most]) =>
    RATES.flatMap(([rate, when]) =>
      quantiles.map((quantile) => {
        const ratios = own.find((one) => one.rate === rate)?.ratios[quantile];
        return ratioFigure(`${quantile} ${when} to ${other}`, ratios?.[name], most);
      }),
    ),
  );
}

function ratioFigure(what: string, rounds: RoundSpread | undefined, most: number | undefined): TargetFigure {
  return {
    what,
    unit: 'x',
    median: rounds?.median ?? Number.NaN,
    ...(rounds && { rounds }),
    ...(most !== undefined && { target: { most } }),
  };
}

function countFigure(what: string, median = Number.NaN): TargetFigure {
  return { what, unit: '', median, target: { most: 0 } };
}

/** Returns the table of the targets: the median of the rounds, the least and the most, and the verdict. */
export function targetTable(figures: readonly TargetFigure[]): readonly string[] {
  const rows = figures.map((figure) => {
    const { what, median, rounds, target } = figure;
    const most = target && 'most' in target ? target.most : undefined;
    return [
      what,
      rounds ? ratio(median) : String(median),
      rounds ? range(rounds, ratio) : '',
      most === undefined ? '' : `<= ${most}`,
      most === undefined ? '' : isMet(figure) ? 'ok' : 'MISSED',
    ];
  });
  return tableOf([['gatehouse', 'median', 'least-most', 'target', ''], ...rows]);
}
