import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed, GO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertCalls } from './client-server.js';
import { mustRun } from './run-program.js';
import { apiTool } from './tools.js';

const PROGRAM = join(ROOT, 'test/clients/programs/go');

describeWith([apiToolNeed('oapi-codegen'), GO], 'the client of oapi-codegen', function () {
  this.timeout(600_000);
  const generator = apiTool('oapi-codegen');

  it('compiles as it was generated, and its calls return what their types say', async () => {
    const cwd = temporaryFolder().path;
    for (const file of ['go.mod', 'go.sum', 'main.go']) copyFileSync(join(PROGRAM, file), join(cwd, file));
    const generate = ['-generate', 'types,client', '-package', 'main', '-o', 'gatehouse.go'] as const;
    await mustRun([generator, ...generate, join(ROOT, 'docs/openapi.json')], { cwd });
    // `npm run api-tools` has downloaded the modules; their versions and hashes are those of go.sum.
    const env = { ...process.env, GOFLAGS: '-mod=readonly -p=2', GOPROXY: 'off' };
    await mustRun(['go', 'build', '-o', 'calls', '.'], { cwd, env });
    await assertCalls([join(cwd, 'calls')], cwd);
  });
});
