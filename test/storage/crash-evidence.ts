import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crash } from './crashes.js';

// The long form of D1: as many kills as asked for, each of one store. `node dist/test/storage/crash-evidence.js 10000`
const kills = Number(process.argv[2] ?? '10000');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crashes-'));
const started = Date.now();
const { crashes, acknowledged, lost, broken } = await crash({ folder, kills, stores: 1 });
rmSync(folder, { recursive: true, force: true });
const seconds = Math.round((Date.now() - started) / 1000);
const report = { group: 'D1', crashes, acknowledged, lost: lost.length, broken: broken.length, seconds };
process.stdout.write(`${JSON.stringify({ ...report, node: process.version })}\n`);
process.exitCode = lost.length + broken.length > 0 ? 1 : 0;
