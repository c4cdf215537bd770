import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeIssuer } from '../../test/support/tokens.js';
import { type Figure, FIGURE_HEAD, figureLine, isMet } from '../figure.js';
import { TOKENS } from '../proxy/contender.js';
import { startUpstream } from '../proxy/upstream.js';
import { openResults, RESULTS } from '../results.js';
import { forms } from './forms.js';
import { memory } from './memory.js';
import type { Part, Setting } from './part.js';
import { reload } from './reload.js';
import { scale } from './scale.js';
import { start } from './start.js';
import { streams } from './streams.js';
import { traffic } from './traffic.js';
import { workers } from './workers.js';

const PARTS: readonly Part[] = [streams, start, reload, scale, workers, forms, memory, traffic];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    results: { type: 'string', default: RESULTS },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `Usage: npm run bench server [-- OPTION...]

  --only NAMES     these of ${PARTS.map(({ name }) => name).join(', ')}
  --rounds N       measurements of each figure (5)
  --seconds N      seconds of each that lasts, and of the warming up before it (4)
  --results FOLDER where server.json goes (bench/results)`;

const say = (text: string) => process.stdout.write(`${text}\n`);

if (options.help) say(HELP);
else await measureAll(options.only.split(',').filter((name) => name !== ''));

async function measureAll(only: readonly string[]): Promise<void> {
  const writeFigures = openResults(options.results, 'server');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const issuer = makeIssuer({ algorithm: 'RS256', issuer: TOKENS.issuer });
  const upstream = await startUpstream(folder);
  const setting = {
    folder,
    issuer,
    upstream,
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
  };
  say(
    `${cpus()[0]?.model ?? '?'} (${cpus().length}), Node.js ${process.version}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  );
  say(`upstream: ${upstream.says}\n${FIGURE_HEAD}`);
  const figures: Figure[] = [];
  try {
    for (const part of PARTS)
      if (only.length === 0 || only.includes(part.name)) figures.push(...(await measured(part, setting)));
  } finally {
    await upstream.stop();
    issuer.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  writeFigures(report(figures));
}

/** Runs a part; a failure does not stop the other parts. */
async function measured(part: Part, setting: Setting): Promise<readonly Figure[]> {
  try {
    const figures = await part.measure(setting);
    for (const figure of figures) say(figureLine(figure));
    return figures;
  } catch (error) {
    say(`${part.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return [];
  }
}

function report(figures: readonly Figure[]): object {
  const machine = { node: process.version, cpu: cpus()[0]?.model, load: loadavg() };
  const checked = figures.map((figure) => ({ ...figure, met: isMet(figure) }));
  return { at: new Date().toISOString(), ...machine, figures: checked };
}
