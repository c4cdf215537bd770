import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertCalls } from './client-server.js';
import { mustRun } from './run-program.js';
import { apiTool, folderOf } from './tools.js';

describeWith(
  [apiToolNeed('openapi-python-client'), apiToolNeed('python')],
  'the client of openapi-python-client',
  function () {
    this.timeout(300_000);
    const generator = apiTool('openapi-python-client');
    const python = apiTool('python');

    it('contains every operation, compiles as it was generated, and its calls return what their types say', async () => {
      const cwd = temporaryFolder().path;
      // The generator formats the client with ruff, which is in the same folder.
      const path = [folderOf('openapi-python-client'), process.env['PATH']].join(delimiter);
      const config = join(cwd, 'config.yaml');
      // The generator reads bodies of other media types only if an option names their kind.
      writeFileSync(config, 'content_type_overrides:\n  application/jsonl: application/octet-stream\n');
      const generate = [
        'generate',
        '--config',
        config,
        '--path',
        join(ROOT, 'docs/openapi.json'),
        '--output-path',
        'client',
      ] as const;
      const said = await mustRun([generator, ...generate], { cwd, env: { ...process.env, PATH: path } });
      // The generator leaves operations and types out with a warning.
      assert.doesNotMatch(said, /warning|unable to|removal of/i);
      const client = join(cwd, 'client');
      await mustRun([python, '-W', 'error', '-m', 'compileall', '-q', client], { cwd });
      copyFileSync(join(ROOT, 'test/clients/programs/python/calls.py'), join(client, 'calls.py'));
      await assertCalls([python, 'calls.py'], client);
    });
  },
);
