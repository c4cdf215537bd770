import assert from 'node:assert/strict';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed, GO } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertCalls } from './client-server.js';
import { mustRun } from './run-program.js';
import { apiTool, folderOf, NPM_FOLDER } from './tools.js';

const DESCRIPTION = join(ROOT, 'docs/openapi.json');
const PROGRAMS = join(ROOT, 'test/clients/programs');

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'ES2022',
  module: 'NodeNext',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

describe('generated clients, whose calls return what their types say', function () {
  this.timeout(600_000);

  itWith([apiToolNeed('oapi-codegen'), GO], 'of oapi-codegen: compiles as it was generated', async () => {
    const cwd = temporaryFolder().path;
    for (const file of ['go.mod', 'go.sum', 'main.go'])
      copyFileSync(join(PROGRAMS, 'go', file), join(cwd, file));
    const options = ['-generate', 'types,client', '-package', 'main', '-o', 'gatehouse.go'] as const;
    await mustRun([apiTool('oapi-codegen'), ...options, DESCRIPTION], { cwd });
    // `npm run api-tools` has downloaded the modules; their versions and hashes are those of go.sum.
    const env = { ...process.env, GOFLAGS: '-mod=readonly -p=2', GOPROXY: 'off' };
    await mustRun(['go', 'build', '-o', 'calls', '.'], { cwd, env });
    await assertCalls([join(cwd, 'calls')], cwd);
  });

  itWith(
    [apiToolNeed('openapi-python-client'), apiToolNeed('python')],
    'of openapi-python-client: contains every operation, and compiles as it was generated',
    async () => {
      const cwd = temporaryFolder().path;
      const python = apiTool('python');
      // The generator formats the client with ruff, which is in the same folder.
      const PATH = [folderOf('openapi-python-client'), process.env['PATH']].join(delimiter);
      // The generator reads bodies of other media types only if an option names their kind.
      const config = 'content_type_overrides:\n  application/jsonl: application/octet-stream\n';
      writeFileSync(join(cwd, 'config.yaml'), config);
      const options = ['--config', 'config.yaml', '--path', DESCRIPTION, '--output-path', 'client'] as const;
      const command = [apiTool('openapi-python-client'), 'generate', ...options] as const;
      const said = await mustRun(command, { cwd, env: { ...process.env, PATH } });
      // The generator leaves operations and types out with a warning.
      assert.doesNotMatch(said, /warning|unable to|removal of/i);
      const client = join(cwd, 'client');
      await mustRun([python, '-W', 'error', '-m', 'compileall', '-q', client], { cwd });
      copyFileSync(join(PROGRAMS, 'python/calls.py'), join(client, 'calls.py'));
      await assertCalls([python, 'calls.py'], client);
    },
  );

  itWith(
    apiToolNeed('openapi-typescript'),
    'of openapi-typescript and openapi-fetch: compiles in strict mode as it was generated',
    async () => {
      const cwd = temporaryFolder().path;
      symlinkSync(NPM_FOLDER, join(cwd, 'node_modules'));
      writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
      const config = { compilerOptions: COMPILER_OPTIONS, files: ['calls.ts'] };
      writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(config));
      copyFileSync(join(PROGRAMS, 'typescript/calls.ts.txt'), join(cwd, 'calls.ts'));
      await mustRun([apiTool('openapi-typescript'), DESCRIPTION, '--output', 'gatehouse.ts'], { cwd });
      await mustRun([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd });
      await assertCalls([process.execPath, 'calls.js'], cwd);
    },
  );
});
