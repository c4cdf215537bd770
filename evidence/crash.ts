import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crash } from '../test/storage/crashes.js';
import { report, SABOTAGED } from './report.js';

// D1: a process that writes to several stores at the same time is killed repeatedly; each kill is a crash of
// each store. `npm run evidence -- crash [CRASHES [STORES]]`
const CRASHES = Number(process.argv[2] ?? '10000');
const STORES = Number(process.argv[3] ?? '4');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crashes-'));
const started = Date.now();
const kills = Math.ceil(CRASHES / STORES);
const { crashes, acknowledged, lost, broken } = await crash({
  folder,
  kills,
  stores: STORES,
  hasty: SABOTAGED,
});
rmSync(folder, { recursive: true, force: true });
const seconds = Math.round((Date.now() - started) / 1000);
report('crash', acknowledged > 0 && lost.length + broken.length === 0, {
  kills,
  crashes,
  acknowledged,
  lost: lost.length,
  broken: broken.length,
  seconds,
});
