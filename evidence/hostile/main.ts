import { openHttpClient } from '../../src/upstream/client.js';
import { report, SABOTAGED } from '../report.js';
import { endsByItself, openBoundlessClient } from './boundless-client.js';
import { measureHostile } from './measure.js';

const TOTAL_MS = 2_000;
/** A limit that is easily passed, and one that shows in the memory of the process. */
const [SMALL, LARGE] = [65_536, 16 * 1_048_576];
/** What the process may grow by, as a multiple of the limit. */
const MOST_GROWTH = 2;

const openClient = SABOTAGED ? openBoundlessClient : () => openHttpClient({});
const terms = { totalMs: TOTAL_MS, openClient, ...(SABOTAGED && { among: endsByItself }) };
const { holds, figures } = await measureHostile({ ...terms, replyBytes: SMALL });
const among = (name: string): boolean => /never ends|gigabyte|flood|huge|100,000/.test(name);
// The first time, the heap grows to what it needs anyway.
await measureHostile({ ...terms, among, replyBytes: LARGE });
const { worstGrowthMb, largest, limitMb } = (await measureHostile({ ...terms, among, replyBytes: LARGE }))
  .figures;
const factor = Number(worstGrowthMb) / Number(limitMb);
report('hostile', holds && factor <= MOST_GROWTH, { ...figures, worstGrowthMb, largest, limitMb, factor });
