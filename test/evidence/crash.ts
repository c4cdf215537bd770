import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crash } from '../storage/crashes.js';
import { report, SABOTAGED } from './report.js';

// D1: as many kills as asked for, each of one store.
const kills = Number(process.argv[2] ?? '10000');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crashes-'));
const started = Date.now();
const { crashes, acknowledged, lost, broken } = await crash({ folder, kills, stores: 1, hasty: SABOTAGED });
rmSync(folder, { recursive: true, force: true });
const seconds = Math.round((Date.now() - started) / 1000);
report('crash', lost.length + broken.length === 0, {
  ...{ kills: crashes, acknowledged, lost: lost.length, broken: broken.length, seconds },
});
