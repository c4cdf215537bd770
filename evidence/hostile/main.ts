import { openHttpClient } from '../../src/upstream/client.js';
import { report, SABOTAGED } from '../report.js';
import { endsByItself, openBoundlessClient } from './boundless-client.js';
import { measureHostile } from './measure.js';
import { measureStops } from './stops.js';

const TOTAL_MS = 2_000;
/** A limit that is easily exceeded, and a limit that is visible in the memory of the process. */
const [SMALL, LARGE] = [65_536, 16 * 1_048_576];
/**
 * Maximum growth of the process, as a multiple of the limit: the body, its pieces until they are collected, and what the
 * hostile peer in the same process wrote.
 */
const MOST_GROWTH = 4;

const openClient = SABOTAGED ? openBoundlessClient : () => openHttpClient({});
const terms = { totalMs: TOTAL_MS, openClient, ...(SABOTAGED && { among: endsByItself }) };
const { holds, figures } = await measureHostile({ ...terms, replyBytes: SMALL });
const among = (name: string): boolean => /never ends|gigabyte|flood|huge|100,000/.test(name);
// The first run grows the heap to its normal size.
await measureHostile({ ...terms, among, replyBytes: LARGE });
const { worstGrowthMb, largest, limitMb } = (await measureHostile({ ...terms, among, replyBytes: LARGE }))
  .figures;
const factor = Number(worstGrowthMb) / Number(limitMb);
const stops = await measureStops({ totalMs: TOTAL_MS, ...(SABOTAGED && { among: endsByItself }) });
report('hostile', holds && factor <= MOST_GROWTH && stops.holds, {
  ...{ ...figures, worstGrowthMb, largest, limitMb, factor },
  stops: stops.figures,
});
