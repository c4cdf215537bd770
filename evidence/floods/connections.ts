import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import { holdSockets } from './sockets.js';
import type { Target } from './target.js';

// F8: idle connections of one address, and clients that never read their responses.

const IDLE = 10_400;
const IDLE_MS = 15_000;
const READERS = 30;
const READERS_MS = 40_000;
const STRANGER = '127.1.0.8';
/** Bytes that a connection has asked for: more than the kernel buffers. */
const ASKED_BYTES = 32 * 1_048_576;

const LIGHT = Buffer.from('GET /health/status HTTP/1.1\r\nHost: gatehouse\r\n\r\n');

async function idle(target: Target, options: FloodOptions): Promise<Run> {
  const count = partOf(IDLE, options);
  const sockets = await holdSockets(target, { count, bytes: [LIGHT], from: STRANGER });
  await pause(partOf(IDLE_MS, options));
  const end = performance.now() + IDLE_MS;
  while (sockets.answered() < count && performance.now() < end) await pause(100);
  const figures = { connections: count, answered: sockets.answered(), held: sockets.held() };
  sockets.close();
  const { answered } = figures;
  return {
    figures,
    wrong: answered < count ? [`only ${answered} of ${count} connections were answered`] : [],
  };
}

async function neverRead(target: Target, options: FloodOptions): Promise<Run> {
  const asset = await largestAsset(target);
  const request = Buffer.from(`GET ${asset.path} HTTP/1.1\r\nHost: gatehouse\r\n\r\n`);
  const requests = Array.from({ length: Math.ceil(ASKED_BYTES / asset.bytes) }, () => request);
  const count = partOf(READERS, options);
  const bytes = [Buffer.concat(requests)];
  const sockets = await holdSockets(target, { count, bytes, from: STRANGER, isDeaf: true });
  await pause(1_000);
  const atFirst = established(target.port, STRANGER);
  const end = performance.now() + READERS_MS;
  while (established(target.port, STRANGER) > 0 && performance.now() < end) await pause(500);
  const left = established(target.port, STRANGER);
  const endedAfterMs = Math.round(READERS_MS - (end - performance.now()));
  sockets.close();
  return {
    figures: { readers: count, atFirst, left, endedAfterMs },
    wrong: [
      ...(atFirst < count ? [`only ${atFirst} of ${count} readers were there at first`] : []),
      ...(left > 0 ? [`${left} readers that never read are there after ${READERS_MS / 1_000} s`] : []),
    ],
  };
}

/** Returns the largest script that the start page names. */
async function largestAsset(target: Target): Promise<{ readonly path: string; readonly bytes: number }> {
  const { text } = await ask(target, { method: 'GET', path: '/ui/' });
  const paths = [...new Set([...text.matchAll(/\/ui\/assets\/[^"' ]+/g)].map(([path]) => path))];
  const assets = await Promise.all(
    paths.map(async (path) => ({ path, bytes: (await ask(target, { method: 'GET', path })).bytes })),
  );
  const largest = assets.sort((one, other) => other.bytes - one.bytes)[0];
  if (largest === undefined || largest.bytes === 0) throw new Error('the start page names no file');
  return largest;
}

const ESTABLISHED = '01';

/** Returns the connections from an address that the server has open, by the table of the kernel. */
function established(port: number, from: string): number {
  const hex = (value: number, digits: number): string =>
    value.toString(16).toUpperCase().padStart(digits, '0');
  const local = `:${hex(port, 4)}`;
  const remote = `${from
    .split('.')
    .reverse()
    .map((part) => hex(Number(part), 2))
    .join('')}:`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, own = '', peer = '', state]) =>
        own.endsWith(local) && peer.startsWith(remote) && state === ESTABLISHED,
    ).length;
}

/** Connections of one address. */
export const CONNECTION_FLOODS: Readonly<Record<string, Flood>> = {
  'idle-connections': {
    finding: 'F8',
    says: '10,400 connections of one address send one request each and stay',
    run: idle,
  },
  'deaf-readers': {
    finding: 'F8',
    says: '30 clients ask for files of the pages and read nothing: they are gone within 40 s',
    run: neverRead,
  },
};
