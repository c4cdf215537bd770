import type { Summary } from './figures.js';
import { ratio } from './table.js';

const BAR = { height: 18, gap: 6, left: 150, width: 420 } as const;
const HEAD = 34;

/**
 * Returns an SVG with bars for each profile: CPU time of one request, relative to the anchor or, without the
 * anchor, in microseconds.
 */
export function chartOf(summaries: readonly Summary[], anchor: string): string {
  const profiles = [...new Set(summaries.map(({ profile }) => profile))];
  const hasAnchor = summaries.some(({ contender }) => contender === anchor);
  const parts: string[] = [];
  let top = HEAD;
  for (const profile of profiles) {
    const mine = summaries
      .filter((one) => one.profile === profile)
      .toSorted((a, b) => a.cpuUs.median - b.cpuUs.median);
    parts.push(panel(profile, mine, { anchor, top }));
    top += HEAD + mine.length * (BAR.height + BAR.gap);
  }
  const width = BAR.left + BAR.width + 130;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -8 ${width + 24} ${top + 16}" font-family="system-ui, sans-serif" font-size="12">
<style>text { fill: #1f2933 } .quiet { fill: #6b7783 } .bar { fill: #a8b4c0 } .own { fill: #0b6e99 }
@media (prefers-color-scheme: dark) { text { fill: #e6ebf0 } .quiet { fill: #9aa7b3 } .bar { fill: #5d6b78 } .own { fill: #4db3dd } }</style>
<text x="0" y="16" font-size="15" font-weight="600">CPU time of one request${hasAnchor ? `, ${anchor} = 1` : ''}</text>
${parts.join('\n')}
</svg>
`;
}

function panel(
  profile: string,
  summaries: readonly Summary[],
  { anchor, top }: { readonly anchor: string; readonly top: number },
): string {
  const most = Math.max(...summaries.map(({ cpuUs }) => cpuUs.median));
  const bars = summaries.map((one, at) => {
    const y = top + 20 + at * (BAR.height + BAR.gap);
    const width = Math.round((one.cpuUs.median / most) * BAR.width);
    const kind = one.contender.startsWith('gatehouse') ? 'own' : 'bar';
    return `<text x="${BAR.left - 8}" y="${y + 13}" text-anchor="end">${one.contender}</text>
<rect class="${kind}" x="${BAR.left}" y="${y}" width="${width}" height="${BAR.height}" rx="2"/>
<text x="${BAR.left + width + 6}" y="${y + 13}">${ratio(one.ratios[anchor]?.median)} <tspan class="quiet">${one.cpuUs.median.toFixed(0)} µs</tspan></text>`;
  });
  return `<text class="quiet" x="0" y="${top + 10}">${profile}</text>\n${bars.join('\n')}`;
}
