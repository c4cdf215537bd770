import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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
  /** Folder of the results. */
  readonly results: string;
}

/** Help text of the bench. */
export const HELP = `Usage: npm run bench proxy [-- OPTION...]

  --rounds N        interleaved rounds (4)
  --seconds N       seconds of each measurement (4)
  --warm N          seconds of warming up before it (2)
  --rates LIST      requests a second of the open loop; half: half of what gatehouse can (half,1000)
  --only NAMES      these contenders
  --profile NAMES   these profiles
  --beside DIR      the build of another checkout too, as gatehouse-beside
  --quick           one round of one second: shows that everything works, measures nothing
  --results FOLDER  where proxy.json and proxy.svg go (bench/results)
`;

const RESULTS = fileURLToPath(new URL('../../../bench/results', import.meta.url));

/** Parses the command line; undefined means help. Throws for invalid options. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      warm: { type: 'string' },
      rates: { type: 'string', default: 'half,1000' },
      only: { type: 'string', default: '' },
      profile: { type: 'string', default: '' },
      beside: { type: 'string' },
      quick: { type: 'boolean', default: false },
      results: { type: 'string', default: RESULTS },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { rounds, seconds, warm } = values.quick
    ? { rounds: '1', seconds: '1', warm: '0.5' }
    : { rounds: '4', seconds: '4', warm: '2' };
  return {
    rounds: positive('rounds', values.rounds ?? rounds),
    seconds: positive('seconds', values.seconds ?? seconds),
    warm: positive('warm', values.warm ?? warm),
    rates: listed(values.rates).map((rate) => (rate === 'half' ? rate : positive('rates', rate))),
    only: listed(values.only),
    profile: listed(values.profile),
    ...(values.beside !== undefined && { beside: values.beside }),
    results: values.results,
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
