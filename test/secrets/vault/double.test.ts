import { type VaultAdministrator, vaultContract } from '../../contracts/vault-contract.js';
import { makeCertificate } from '../../support/certificates.js';
import { createVaultDouble } from '../../support/vault-double.js';

describe('the requests of gatehouse, on the Vault double', () => {
  vaultContract(async (): Promise<VaultAdministrator> => {
    const double = await createVaultDouble({ tls: await makeCertificate({ ip: '127.0.0.1' }) });
    return {
      ...double,
      wrap: (creationPath) =>
        double.wrap(
          creationPath,
          creationPath === 'auth/token/create'
            ? { auth: { client_token: double.createToken({ policies: ['root'] }) } }
            : { data: { secret_id: double.createSecretId('app') } },
        ),
    };
  });
});
