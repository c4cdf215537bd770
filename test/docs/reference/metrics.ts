import { scrapeEverything } from '../../support/everything-measured.js';
import type { Family } from '../../support/scrape.js';
import type { ReferencePage } from './page.js';
import { blocks, code, codes, prose, table } from './write-markdown.js';

const RULES = `\`GET /metrics\` returns the metrics in the text format of Prometheus; \`metrics.otlpEndpoint\` also exports them by OTLP.
No label contains a path or a value. An adapterId that no adapter has is counted without its name.

With several workers, the metrics are those of all processes together: counters and amounts are added, and of other values the highest counts. The counters of an upstream start again when its adapter is replaced. [Monitor](../how-to/monitor.md) shows a dashboard and alerts.`;

/** Metrics of Node.js, whose names depend on its version. */
const OF_NODE = [
  ['`process_...`', '', '', 'Memory, processor time and open files of the processes.'],
  ['`nodejs_...`', '', '', 'Event loop delay, heap and garbage collection of the processes.'],
];

export const metrics: ReferencePage = {
  file: 'metrics.md',
  title: 'Metrics',
  about: 'Every metric with its type, its labels and its meaning.',
  body: async () => {
    const { families } = await scrapeEverything();
    const own = [...families].filter(([name]) => /^(gatehouse|vault)_/.test(name));
    const rows = own.map(rowOf).sort(([one = ''], [other = '']) => one.localeCompare(other, 'en'));
    return blocks(RULES, table(['Metric', 'Type', 'Labels', 'Meaning'], [...rows, ...OF_NODE]));
  },
};

function rowOf([name, { type, labels, help }]: [string, Family]): readonly string[] {
  return [code(name), type, codes([...labels.keys()].filter((label) => label !== 'le')), prose(help)];
}
