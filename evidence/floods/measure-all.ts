import type { Findings } from '../report.js';
import type { FloodFigures } from './flood.js';
import { FLOODS } from './list.js';
import { measureFlood, type MeasureOptions } from './measure.js';
import { measureInNamespace, namespaceLack } from './namespace.js';

interface FloodsOptions extends MeasureOptions {
  /** Names of floods. */
  readonly names: readonly string[];
  /** Called with a row of the table, and with its head first. */
  readonly tell?: (row: string) => void;
}

/** Measures floods one after the other; a flood that cannot run here is skipped with its reason, and nothing holds then. */
export async function measureFloods({ names, tell, ...options }: FloodsOptions): Promise<Findings> {
  const floods: Record<string, FloodFigures> = {};
  const skipped: Record<string, string> = {};
  let failing = 0;
  tell?.(HEAD);
  for (const name of names) {
    const flood = FLOODS[name];
    if (!flood)
      throw new Error(`there is no flood ${name}; the floods are ${Object.keys(FLOODS).join(', ')}`);
    const lack = flood.needsNamespace ? namespaceLack() : undefined;
    if (lack !== undefined) {
      skipped[name] = lack;
      tell?.(`| ${name} | ${flood.finding} | skipped: ${lack} |`);
      continue;
    }
    const measure = flood.needsNamespace ? measureInNamespace(name, options) : measureFlood(flood, options);
    const { holds, figures } = await measure;
    floods[name] = figures;
    failing += holds ? 0 : 1;
    tell?.(rowOf(name, figures as unknown as RowFigures));
  }
  const measured = Object.keys(floods).length;
  return {
    holds: failing === 0 && measured > 0 && Object.keys(skipped).length === 0,
    figures: { measured, holding: measured - failing, skipped, floods },
  };
}

const HEAD = `| flood | of | holds | health, calls, logins | stop (before) | memory | recovered | exit | wrong |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

/** The figures that every flood has. */
interface RowFigures {
  readonly finding: string;
  readonly holds: boolean;
  readonly wrong: readonly string[];
  readonly available: {
    readonly during: { readonly health: number; readonly calls: number; readonly logins: number };
  };
  readonly stop: { readonly ownMs: number; readonly baseline: { readonly ownMs: number } };
  readonly memory: { readonly restMb: number; readonly peakMb: number; readonly leftMb: number };
  readonly recoveredMs: number;
  readonly exit: string;
}

function rowOf(name: string, figures: RowFigures): string {
  const { finding, holds, wrong, available, stop, memory, recoveredMs, exit } = figures;
  const { health, calls, logins } = available.during;
  const percents = [health, calls, logins].map((part) => `${Math.round(part * 100)} %`);
  const cells = [
    ...[name, finding, holds ? 'yes' : 'no', percents.join(', ')],
    `${stop.ownMs} ms (${stop.baseline.ownMs})`,
    `${memory.restMb}, ${memory.peakMb}, ${memory.leftMb} MB`,
    ...[`${recoveredMs} ms`, exit, wrong.join('; ')],
  ];
  return `| ${cells.join(' | ')} |`;
}
