import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../docs/markdown.js';
import { report } from './report.js';

// The packed tarball, installed into an empty folder without a script of any package, so without a compiler: it tells its
// version everywhere, and serves on SQLite where the driver brings its binary (Node.js 22 and later). Needs a registry.
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
const servesHere = Number(process.versions.node.split('.')[0]) >= 22;
try {
  const tarball = npm(ROOT, 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder).trim();
  mkdirSync(join(folder, 'home'));
  const home = join(folder, 'home');
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  npm(home, 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, tarball));
  const main = join(home, 'node_modules/gatehouse/dist/bin/gatehouse.js');
  const { stdout } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  const status = servesHere ? await serve(main) : 'not tried: SQLite needs a compiler here';
  const holds =
    stdout === `${tarball.replace(/^gatehouse-|\.tgz$/g, '')}\n` && (!servesHere || status === 200);
  report('package', holds, { version: stdout.trim(), health: status });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function npm(cwd: string, ...words: readonly string[]): string {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, shell, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${words.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Serves an empty configuration, and resolves to what health answers. */
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
