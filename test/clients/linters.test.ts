import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runProgram } from './run-program.js';
import { apiTool } from './tools.js';

const DESCRIPTION = join(ROOT, 'docs/openapi.json');

/** Redocly asks its servers for a newer release, and reports its use, unless an option forbids it. */
const OFFLINE = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

describe('linters of OpenAPI documents', function () {
  this.timeout(180_000);

  /** Returns what a linter reports, and its exit status. */
  async function lint(program: 'redocly' | 'spectral', ...options: readonly string[]) {
    const cwd = temporaryFolder().path;
    writeFileSync(join(cwd, 'rules.yaml'), 'extends: ["spectral:oas"]\n');
    const command = [apiTool(program), 'lint', DESCRIPTION, '--format', 'json', ...options] as const;
    const { status, out, errors } = await runProgram(command, { cwd, env: OFFLINE });
    assert.notEqual(out, '', errors);
    return { report: JSON.parse(out) as unknown, status };
  }

  itWith(
    apiToolNeed('redocly'),
    'redocly finds no error and no warning with its recommended rules',
    async () => {
      const { report, status } = await lint('redocly', '--extends', 'recommended', '--max-problems', '1000');
      assert.deepEqual((report as { readonly problems: unknown }).problems, []);
      assert.equal(status, 0);
    },
  );

  itWith(apiToolNeed('spectral'), 'spectral finds no error with the rules spectral:oas', async () => {
    const { report, status } = await lint('spectral', '--ruleset', 'rules.yaml', '--quiet');
    // 0 is an error, 1 a warning, 2 an information, 3 a hint.
    const errors = (report as readonly { readonly severity: number }[]).filter(
      ({ severity }) => severity === 0,
    );
    assert.deepEqual(errors, []);
    assert.equal(status, 0);
  });
});
