import { openHttpClient } from '../../src/upstream/client.js';
import { type Findings, report, SABOTAGED } from '../report.js';
import { endsByItself, openBoundlessClient } from './boundless-client.js';
import { measureDevices } from './devices.js';
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

/** Attacks that end the process, or stop it for seconds, without the threads of the plugin. */
const COSTLY_MESSAGES = /attributes|elements|references/;

const openClient = SABOTAGED ? openBoundlessClient : () => openHttpClient({});
const terms = { totalMs: TOTAL_MS, openClient, ...(SABOTAGED && { among: endsByItself }) };
const among = (name: string): boolean => /never ends|gigabyte|flood|huge|100,000/.test(name);

/** Measures the faults of HTTP orchestrators. */
async function measureReplies(): Promise<Findings> {
  const { holds, figures } = await measureHostile({ ...terms, replyBytes: SMALL });
  // The first run grows the heap to its normal size.
  await measureHostile({ ...terms, among, replyBytes: LARGE });
  const { worstGrowthMb, largest, limitMb } = (await measureHostile({ ...terms, among, replyBytes: LARGE }))
    .figures;
  const factor = Number(worstGrowthMb) / Number(limitMb);
  const stops = await measureStops({ totalMs: TOTAL_MS, ...(SABOTAGED && { among: endsByItself }) });
  return {
    holds: holds && factor <= MOST_GROWTH && stops.holds,
    figures: { ...figures, worstGrowthMb, largest, limitMb, factor, stops: stops.figures },
  };
}

// `npm run evidence -- hostile devices` measures the NETCONF device alone, and `... hostile devices WORD` the attacks whose name has the word.
const [only, word] = process.argv.slice(2);
const replies = only === 'devices' ? undefined : await measureReplies();
const devices = await measureDevices({
  isLifted: SABOTAGED,
  among: (name) => (word === undefined ? !SABOTAGED || COSTLY_MESSAGES.test(name) : name.includes(word)),
  tell: (row) => process.stderr.write(`${row}\n`),
});
const isAttacked = Number(devices.figures['attacks']) > 0;
report('hostile', (replies?.holds ?? true) && devices.holds && isAttacked, {
  ...replies?.figures,
  devices: devices.figures,
});
