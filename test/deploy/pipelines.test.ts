import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { shippedYaml } from './shipped.js';

interface GithubActions {
  readonly jobs: {
    readonly records: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

type GitlabJob = { readonly script: readonly string[] } | undefined;

/** Commands of the pipelines that show and that apply the changes. */
function commandsOf(): Readonly<Record<string, readonly [show: string, apply: string]>> {
  const { jobs } = shippedYaml('pipelines/github-actions.yml') as GithubActions;
  const step = (title: string): string => jobs.records.steps.find(({ name }) => name === title)?.run ?? '';
  const gitlab = shippedYaml('pipelines/gitlab-ci.yml') as Readonly<Record<string, GitlabJob>>;
  const job = (name: string): string => gitlab[name]?.script.join('\n') ?? '';
  return {
    'GitHub Actions': [step('Show the changes'), step('Apply the changes')],
    'GitLab CI': [job('show changes'), job('apply changes')],
  };
}

describe('the pipelines in deploy/pipelines', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Runs a script as a runner does: with bash, which ends at the first failed command. */
  const run = async (script: string, cwd: string): Promise<readonly [code: number, output: string]> => {
    const program = `gatehouse() { "${process.execPath}" "${join(ROOT, 'dist/bin/gatehouse.js')}" "$@"; }`;
    const shell = spawn('bash', ['-e', '-c', `${program}\n${script}`], {
      cwd,
      env: {
        ...process.env,
        GATEHOUSE_URL: server.url,
        GATEHOUSE_TOKEN: server.issueToken('admin'),
        GITHUB_SHA: '4f2a9c1',
        CI_COMMIT_SHA: '4f2a9c1',
      },
    });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (output += String(text)));
    const [code] = (await once(shell, 'close')) as [number];
    return [code, output];
  };

  for (const [name, [show, apply]] of Object.entries(commandsOf()))
    it(`show and apply changes: ${name}`, async () => {
      const { path: folder } = temporaryFolder();
      mkdirSync(join(folder, 'records', 'profiles'), { recursive: true });
      const file = join(folder, 'records', 'profiles', 'lab.yaml');
      writeFileSync(file, `id: lab\ndescription: ${name}\n`);
      const shown = await run(show, folder);
      assert.equal(shown[0], 0, shown[1]);
      assert.match(shown[1], /[+~] profile lab/);
      const applied = await run(apply, folder);
      assert.deepEqual([applied[0], applied[1].includes('1 change made')], [0, true], applied[1]);
      assert.match((await run(show, folder))[1], /no differences/);
      writeFileSync(file, 'id: [\n');
      assert.equal((await run(show, folder))[0], 1);
      assert.equal((await run(apply, folder))[0], 78);
    });
});
