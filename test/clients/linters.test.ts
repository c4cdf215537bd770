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

interface RedoclyProblem {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

interface SpectralProblem {
  /** 0 is an error, 1 a warning, 2 an information, 3 a hint. */
  readonly severity: number;
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

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
      const { totals, problems } = report as {
        readonly totals: { readonly errors: number; readonly warnings: number };
        readonly problems: readonly RedoclyProblem[];
      };
      const found = problems.map(
        ({ severity, ruleId, message, location }) =>
          `${severity} ${ruleId} at ${location[0]?.pointer ?? ''}: ${message}`,
      );
      assert.deepEqual(found, []);
      assert.deepEqual([totals.errors, totals.warnings, status], [0, 0, 0]);
    },
  );

  itWith(apiToolNeed('spectral'), 'spectral finds no error with the rules spectral:oas', async () => {
    const options = ['--ruleset', 'rules.yaml', '--quiet'];
    const { report, status } = await lint('spectral', ...options);
    const found = (report as readonly SpectralProblem[])
      .filter(({ severity }) => severity === 0)
      .map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`);
    assert.deepEqual(found, []);
    assert.equal(status, 0);
  });
});
