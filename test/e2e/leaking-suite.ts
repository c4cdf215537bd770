import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeInput } from '../support/input-file.js';
import { memoryLog } from '../support/memory-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVaultDouble } from '../support/vault-double.js';

// A suite that leaks a secret on demand, for the test of the leak scan; it is not part of the real suite.
describe('a suite', () => {
  const folder = temporaryFolder().path;
  const inputFile = join(folder, 'input');
  const read = (): string => readFileSync(inputFile, 'utf8');

  before(async () => {
    const vault = await createVaultDouble();
    vault.putSecret({ path: 'a' }, { password: 'c4n4ry-of-the-leaking-suite' });
    const headers = { 'x-vault-token': vault.rootToken };
    const reply = await fetch(`${vault.address}/v1/secret/data/a`, { headers });
    const { data } = (await reply.json()) as { data: { data: { password: string } } };
    writeInput(inputFile, data.data.password);
    await vault.close();
  });

  it('writes something else', () => {
    process.stdout.write('nothing\n');
    memoryLog().log.info('nothing');
    writeFileSync(join(folder, 'other'), 'nothing');
  });

  if (process.env['LEAK'] === 'yes') {
    it('prints it', () => {
      process.stdout.write(`read ${Buffer.from(read()).toString('base64')}\n`);
    });

    it('logs it', () => {
      memoryLog().log.info('read', { password: read() });
    });

    it('starts a process that prints it', async () => {
      await promisify(execFile)(process.execPath, ['-p', `'read ${read()}'`]);
    });

    it('writes it into another file', () => {
      writeFileSync(join(folder, 'output'), read());
    });

    it('changes an input', () => {
      writeInput(join(folder, 'changed'), read());
      appendFileSync(join(folder, 'changed'), ' more');
    });
  }
});
