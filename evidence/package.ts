import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installTarball, packGatehouse, run } from './packed-gatehouse.js';
import { report, SABOTAGED } from './report.js';

// Installs the packed tarball into an empty folder without running any package's scripts, so without a
// compiler. The package reports its version, has the modules that plugins import, and serves with SQLite.
// Needs a registry.
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
try {
  const tarball = packGatehouse(folder);
  if (SABOTAGED) leaveOut(join(folder, tarball), 'package/dist/src/plugin-sdk/index.js');
  const home = join(folder, 'home');
  installTarball(home, join(folder, tarball));
  const main = join(home, 'node_modules/gatehouse-proxy/dist/bin/gatehouse.js');
  const { stdout } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  const missing = exportsOf(home).filter((name) => !isImported(home, name));
  const status = await serve(main);
  const isRight =
    stdout.replace(/\+[0-9a-f]+/, '') === `${tarball.replace(/^gatehouse-proxy-|\.tgz$/g, '')}\n`;
  const holds = isRight && missing.length === 0 && status === 200;
  report('package', holds, { version: stdout.trim(), missing, health: status });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs the tarball again without one of its files. */
function leaveOut(tarball: string, file: string): void {
  run(folder, ['tar', '-xzf', tarball]);
  rmSync(join(folder, file));
  run(folder, ['tar', '-czf', tarball, 'package']);
}

/** Returns the exports of the installed package. */
function exportsOf(home: string): readonly string[] {
  const manifest = readFileSync(join(home, 'node_modules/gatehouse-proxy/package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, string>> };
  return Object.entries(exports)
    .filter(([, file]) => file.endsWith('.js'))
    .map(([name]) => `gatehouse-proxy${name.slice(1)}`);
}

function isImported(home: string, name: string): boolean {
  const words = ['--input-type=module', '--eval', `await import('${name}')`];
  return spawnSync(process.execPath, words, { cwd: home }).status === 0;
}

/** Serves an empty configuration, and resolves to the status of health. */
async function serve(main: string): Promise<number> {
  const config = join(folder, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'gatehouse.yaml'), 'server: { listen: "127.0.0.1:0" }\n');
  const child = spawn(process.execPath, [main, 'serve', '--config', join(config, 'gatehouse.yaml')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { status } = await fetch(`${await addressOf(child)}/health/status`);
    return status;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it served');
}
