import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../docs/markdown.js';
import { makeCertificate } from '../support/certificates.js';
import { findOpenBao, OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { tlsServer } from './gatehouse.js';

const PAGE = 'docs/how-to/set-up-openbao.md';

// The first step of the page reads keys and the token from the terminal. The test passes them as arguments and standard input.
describeWith(OPENBAO, `the first step of ${PAGE}, on a real OpenBao that is not initialized`, () => {
  let bao: OpenBao;
  before(async () => {
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    bao = await startOpenBao({ scheme: 'https', config: (place) => tlsServer(place, certificate) });
    mkdirSync(join(bao.folder, 'bin'));
    const program = `#!/bin/sh\nexec "${findOpenBao() ?? ''}" "$@"\n`;
    writeFileSync(join(bao.folder, 'bin/bao'), program, { mode: 0o755 });
  });
  after(() => bao.close());

  function shell(script: string, input = ''): string {
    const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
      env: {
        HOME: bao.folder,
        PATH: `${join(bao.folder, 'bin')}:${process.env['PATH'] ?? ''}`,
        BAO_CACERT: join(bao.folder, 'cert.pem'),
        BAO_ADDR: bao.address,
      },
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 0, `${script}\n${stdout}${stderr}`);
    return stdout;
  }

  it('initializes and unseals the server, and logs the administrator in', () => {
    const [address = '', init = '', unseal = '', login = ''] = linesOfStep();
    assert.match(address, /^export BAO_ADDR=https:/);

    const printed = shell(init);
    const keys = [...printed.matchAll(/Unseal Key \d: (\S+)/g)].map(([, key = '']) => key);
    const [, root = ''] = /Initial Root Token: (\S+)/.exec(printed) ?? [];
    assert.equal(keys.length, 5);

    assert.match(unseal, /three times/);
    const [command = ''] = unseal.split(' #');
    const statuses = keys.slice(0, 3).map((key) => shell(`${command.trim()} ${key}`));
    assert.match(statuses[1] ?? '', /^Sealed\s+true$/m);
    assert.match(statuses[2] ?? '', /^Sealed\s+false$/m);

    shell(`${login} -`, root);
    assert.match(shell('bao token lookup'), /^policies\s+\[root\]$/m);
  });
});

/** Returns the lines of the block that initializes the server. */
function linesOfStep(): readonly string[] {
  const block = readPage(PAGE).blocks.find(({ text }) => text.includes('operator init'));
  return block?.text.trim().split('\n') ?? [];
}
