// Runs the demo of a checkout: `npm run demo [-- OPTIONS]`. Builds only what the demo runs. The pages need more packages, so
// they are built while the tour runs.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const ready = join(root, 'scripts', 'ready.mjs');
const options = process.argv.slice(2);
const endsAfterTour = ['--once', '--help', '-h'].some((option) => options.includes(option));

const built = spawnSync(process.execPath, [ready, 'code', 'command'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const command = join(root, 'dist', 'bin', 'gatehouse.js');
const demo = spawn(process.execPath, [command, 'demo', ...options], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, GATEHOUSE_DEMO_CHECKOUT: endsAfterTour ? 'built' : 'building' },
});
const pages = endsAfterTour ? undefined : buildPages();
// Ctrl+C reaches the demo as well, which then ends by itself. A second SIGINT would end it before it has removed its folder.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => demo.kill('SIGTERM'));
demo.on('exit', (code) => {
  pages?.kill();
  process.exitCode = code ?? 1;
});

/** Starts the build of the pages in the background, and informs the demo of its end. A failure does not end the demo. */
function buildPages() {
  const child = spawn(process.execPath, [ready, 'code', 'pages'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    console.error(line);
  });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null)
      console.error('> the console is not available; the lines above give the reason');
    if (demo.connected) demo.send(code === 0 ? 'built' : 'failed');
  });
  return child;
}
