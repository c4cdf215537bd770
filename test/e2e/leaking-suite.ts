import { createVaultDouble } from '../support/vault-double.js';

// A suite for the sweep to find fault with; no part of the suite itself.
describe('a suite', () => {
  it('prints what it read when it is told to', async () => {
    const vault = await createVaultDouble();
    vault.putSecret({ path: 'a' }, { password: 'c4n4ry-of-the-leaking-suite' });
    const headers = { 'x-vault-token': vault.rootToken };
    const reply = await fetch(`${vault.address}/v1/secret/data/a`, { headers });
    const { data } = (await reply.json()) as { data: { data: { password: string } } };
    const said =
      process.env['LEAK'] === 'yes' ? Buffer.from(data.data.password).toString('base64') : 'nothing';
    process.stdout.write(`read ${said}\n`);
    await vault.close();
  });
});
