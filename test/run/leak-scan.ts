import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEPT } from './sweep.js';
import { searchFor } from './sweep-search.js';

// Runs the suite at log level `spam` and with DEBUG=*, keeps everything that any of its processes lets out, and
// then looks for every secret that a Vault double gave out. Arguments go to mocha. Exit code 1 when one is found.

/** Credentials for Vault that tests write for gatehouse to read, and files that tests compare with what they wrote. */
const INPUTS = /^(role_id|secret_id|token(\.new)?|jwt|secrets\.json|.*\.(pem|key|bak))$/;

/** What looks at how pages are made, of which other tests fetch all as well; and what breaks the product on purpose. */
const LEFT_OUT = ['dist/test/browser/every-page.test.js', 'dist/test/evidence/sabotage.test.js'];

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sweep-'));
const files = join(folder, KEPT.files);
mkdirSync(files);
// A PostgreSQL server of the tests runs as another user, and must find its way to its own folder.
chmodSync(folder, 0o711);

async function runSuite(): Promise<number> {
  const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'));
  const preload = new URL('sweep-preload.js', import.meta.url).href;
  const ignored = LEFT_OUT.flatMap((file) => ['--ignore', file]);
  const child = spawn(process.execPath, [mocha, '--exit', ...ignored, ...process.argv.slice(2)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // What drives the browser of the tests would write every frame of every page; it is no part of the product.
      DEBUG: '*,-pw:*',
      GATEHOUSE_SWEEP: folder,
      TMPDIR: files,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload}`,
    },
  });
  child.stdout.pipe(process.stdout);
  child.stderr.pipe(createWriteStream(join(folder, 'mocha-stderr')));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function givenOut(): readonly string[] {
  const lines = filesBelow(join(folder, KEPT.secrets)).flatMap((path) =>
    readFileSync(path, 'utf8').trim().split('\n'),
  );
  // A value that is a reference by its looks stands in configurations, where it is none.
  return [...new Set(lines)]
    .map((line) => JSON.parse(line) as string)
    .filter((value) => !value.startsWith('$'));
}

function sweep(): readonly string[] {
  const secrets = givenOut();
  const kept = filesBelow(folder).filter(
    (path) => !path.startsWith(join(folder, KEPT.secrets)) && !INPUTS.test(basename(path)),
  );
  const search = searchFor(secrets);
  let size = 0;
  const sightings = kept.flatMap((path) => {
    const bytes = readFileSync(path);
    size += bytes.length;
    return search(bytes).map(({ secret, form, at }) => {
      const hint = `${secrets[secret]?.slice(0, 4)}…`;
      return `${relative(folder, path)} at byte ${at}: the secret ${hint}, ${form}`;
    });
  });
  process.stdout.write(
    `  sweep: ${secrets.length} secrets in ${kept.length} outputs of ${Math.ceil(size / 1e6)} MB, ${sightings.length} found\n`,
  );
  if (secrets.length === 0 || size === 0) return ['nothing was kept, so nothing was proved'];
  return sightings;
}

const code = await runSuite();
const sightings = sweep();
for (const sighting of sightings.slice(0, 50)) process.stderr.write(`  ${sighting}\n`);
if (sightings.length === 0) rmSync(folder, { recursive: true, force: true });
else process.stderr.write(`  everything that was kept: ${folder}\n`);
process.exitCode = code === 0 && sightings.length > 0 ? 1 : code;
