import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPage, ROOT } from '../docs/markdown.js';

const COMMAND = join(ROOT, 'dist/bin/gatehouse.js');

describe('npm run demo -- --once', () => {
  it('is the first command in README.md', () => {
    const [first] = readPage('README.md').blocks;
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    assert.match(first?.text ?? '', /^npm run demo /);
    assert.equal(scripts['demo'], 'node scripts/demo.mjs');
  });

  it('completes the tour and exits with code 0', async () => {
    // Rejects on any other exit code.
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'demo', '--once'], {
      timeout: 15_000,
    });
    assert.match(stdout, /Every answer was right\.\s*$/);
    assert.ok(!stdout.includes('of-the-orchestrator'), 'the password was printed');
  });
});
