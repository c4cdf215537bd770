import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertCalls } from './client-server.js';
import { mustRun } from './run-program.js';
import { apiTool, NPM_FOLDER } from './tools.js';

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'ES2022',
  module: 'NodeNext',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

describeWith(
  apiToolNeed('openapi-typescript'),
  'the client of openapi-typescript and openapi-fetch',
  function () {
    this.timeout(300_000);
    const generator = apiTool('openapi-typescript');

    it('compiles in strict mode as it was generated, and its calls return what their types say', async () => {
      const cwd = temporaryFolder().path;
      symlinkSync(NPM_FOLDER, join(cwd, 'node_modules'));
      writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
      writeFileSync(
        join(cwd, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['calls.ts'] }),
      );
      copyFileSync(join(ROOT, 'test/clients/programs/typescript/calls.ts.txt'), join(cwd, 'calls.ts'));
      await mustRun([generator, join(ROOT, 'docs/openapi.json'), '--output', 'gatehouse.ts'], { cwd });
      await mustRun([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd });
      await assertCalls([process.execPath, 'calls.js'], cwd);
    });
  },
);
