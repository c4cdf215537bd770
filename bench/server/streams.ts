import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../figure.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import type { Outcome } from '../proxy/job.js';
import { CPU, launch, type Program } from '../proxy/program.js';
import { median } from '../proxy/round-spread.js';
import {
  load,
  newProgramOptions,
  type Part,
  type Setting,
  assertCorrect,
  streamOf,
  tokenOf,
} from './part.js';

const PEER = fileURLToPath(new URL('../../../bench/peers/http-proxy.mjs', import.meta.url));

interface Size {
  readonly path: string;
  readonly says: string;
  readonly connections: number;
  /** Most CPU time of a request, in units of that of http-proxy. */
  readonly most: number;
  /** Replies before the first measurement. A program that is not warm takes several times as long for a short reply. */
  readonly warmReplies: number;
}

const SIZES: readonly Size[] = [
  { path: '/small', says: '1 KB', connections: 32, most: 2, warmReplies: 20_000 },
  { path: '/huge', says: '20 MB', connections: 4, most: 1.1, warmReplies: 0 },
];

/** Streamed calls, compared with http-proxy and an agent with persistent connections. */
export const streams: Part = {
  name: 'streams',
  async measure(setting) {
    const place = await newProgramOptions(setting);
    const own = await startGatehouse(place);
    const peer = await startPeer(setting);
    try {
      const figures: Figure[] = [];
      for (const size of SIZES) figures.push(...(await compare(setting, { own, peer }, size)));
      return figures;
    } finally {
      await Promise.all([own.stop(), peer.stop()]);
    }
  },
};

async function startPeer(setting: Setting): Promise<Program> {
  const { folder, port, upstreamPort } = await newProgramOptions(setting);
  return launch({
    command: process.execPath,
    args: [PEER, String(port), `http://127.0.0.1:${upstreamPort}`],
    cpu: CPU.contender,
    port,
    log: join(folder, 'output.log'),
  });
}

async function compare(
  { issuer, rounds, seconds }: Setting,
  { own, peer }: { readonly own: Program; readonly peer: Program },
  { path, says, connections, most, warmReplies }: Size,
): Promise<readonly Figure[]> {
  const token = tokenOf(issuer);
  const ofOwn = { ...streamOf('/proxy/bench', path, token), connections };
  const ofPeer = { ...streamOf('', path, token), connections };
  // Not measured: the replies of a server that is not warm include refusals of its overload protection.
  await load(own, { ...ofOwn, warmReplies }, seconds);
  await load(peer, { ...ofPeer, warmReplies }, seconds);
  const ratios: number[] = [];
  const mine: Outcome[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = assertCorrect(await load(own, ofOwn, seconds));
    const theirs = assertCorrect(await load(peer, ofPeer, seconds));
    mine.push(ours);
    ratios.push(cpuPerRequest(ours) / cpuPerRequest(theirs));
  }
  const resident = Math.max(...mine.map(({ residentMb }) => residentMb));
  return [
    {
      what: `stream of ${says}: CPU to http-proxy`,
      unit: 'x',
      median: median(ratios),
      target: { most },
    },
    { what: `stream of ${says}: memory`, unit: 'MB', median: resident, target: { most: 200 } },
  ];
}
