import { createVaultDouble } from '../support/vault-double.js';

// A suite that prints a secret on demand, for the test of the leak scan; it is not part of the real suite.
describe('a suite', () => {
  it('prints the secret that it read if LEAK is set', async () => {
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
