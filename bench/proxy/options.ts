import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS } from '../results.js';

/** Options of the bench. */
export interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of warming up before each measurement. */
  readonly warm: number;
  /** Requests per second of the open loop; `half` is half of gatehouse's throughput. */
  readonly rates: readonly (number | 'half')[];
  /** Names; empty for all. */
  readonly only: readonly string[];
  readonly profile: readonly string[];
  /** Another checkout, whose build is measured beside this one. */
  readonly beside?: string;
  /** True adds a round that records the pauses of gatehouse. */
  readonly pauses: boolean;
  /** Folder of the results. */
  readonly results: string;
  /** File with the ratios of all runs. */
  readonly history: string;
}

/** Help text of the bench. */
export const HELP = `Usage: npm run bench proxy [-- OPTION...]

  --rounds N        interleaved rounds (5); each starts every contender again
  --seconds N       seconds of each measurement (4)
  --warm N          seconds of warming up before it (2); after a start until 30,000 replies, and until two slices of
                    a second cost the same, at most ten times as long
  --rates LIST      requests a second of the open loop; half: half of what gatehouse can (half,1000)
  --only NAMES      these contenders
  --profile NAMES   these profiles
  --beside DIR      the build of another checkout too, as gatehouse-beside
  --quick           two minutes: gatehouse, envoy-lua, fastify and haproxy, two rounds of the profile action,
                    no open loop
  --results FOLDER  where proxy.json and proxy.svg go (bench/results)
  --history FILE    where the ratios of each run are added (history.jsonl in the folder of the results). A CPU ratio
                    that is more than 15 % above the median of the latest five runs of the same machine kind and
                    length sets the exit code
`;

/** Options that `--quick` sets; each can still be given. */
const QUICK = {
  rounds: '2',
  seconds: '2',
  warm: '1',
  rates: '',
  only: 'gatehouse,envoy-lua,fastify,haproxy',
  profile: 'action',
};

const FULL: typeof QUICK = {
  rounds: '5',
  seconds: '4',
  warm: '2',
  rates: 'half,1000',
  only: '',
  profile: '',
};

/** Parses the command line; undefined means help. Throws for invalid options. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      warm: { type: 'string' },
      rates: { type: 'string' },
      only: { type: 'string' },
      profile: { type: 'string' },
      beside: { type: 'string' },
      quick: { type: 'boolean', default: false },
      results: { type: 'string', default: RESULTS },
      history: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { rounds, seconds, warm, rates, only, profile } = values.quick ? QUICK : FULL;
  const rateList = listed(values.rates ?? rates);
  return {
    rounds: positive('rounds', values.rounds ?? rounds),
    seconds: positive('seconds', values.seconds ?? seconds),
    warm: positive('warm', values.warm ?? warm),
    rates: rateList.map((rate) => (rate === 'half' ? rate : positive('rates', rate))),
    only: listed(values.only ?? only),
    profile: listed(values.profile ?? profile),
    ...(values.beside !== undefined && { beside: values.beside }),
    pauses: !values.quick && rateList.includes('half'),
    results: values.results,
    history: values.history ?? join(values.results, 'history.jsonl'),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes numbers above 0, not ${text}`);
  return value;
}

function listed(text: string): readonly string[] {
  return text.split(',').filter((one) => one !== '');
}
