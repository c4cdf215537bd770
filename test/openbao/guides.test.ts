import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followGuide } from '../docs/guides/follow-guides.js';
import { PASSWORD, type OpenSetting } from '../docs/guides/installations.js';
import { readPage } from '../docs/markdown.js';
import { makeCertificate } from '../support/certificates.js';
import { findOpenBao, OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { withHttps } from './bench.js';

// The commands of the pages with the program of the server, also in place of `vault`.
describeWith(
  OPENBAO,
  'the pages about Vault, followed from an empty folder on a real OpenBao that was just initialized',
  () => {
    followGuide(readPage('docs/how-to/set-up-vault.md'), () => withNewServer());
    followGuide(readPage('docs/how-to/set-up-openbao.md'), () => withNewServer());
    followGuide(readPage('docs/how-to/authenticate-to-vault-from-kubernetes.md'), () =>
      withNewServer(prepareKubernetes),
    );
    followGuide(readPage('docs/how-to/migrate-enc-values.md'), () => withNewServer(prepareEncryptedValue));
  },
);

/** Starts a server that has neither an engine nor a policy, with the token of its first administrator. */
async function withNewServer(
  prepare: (bao: OpenBao, folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<OpenSetting> {
  const certificate = await makeCertificate({ ip: '127.0.0.1' });
  const bao = await startOpenBao(withHttps(certificate));
  await bao.initialize();
  const folder = temporaryFolder().path;
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
  await prepare(bao, folder);
  const env = { BAO_ADDR: bao.address, BAO_TOKEN: bao.token, BAO_CACERT: join(folder, 'ca.pem') };
  const vault = 'vault:\n  address: https://vault.example:8200\n';
  const program = `exec "${findOpenBao() ?? ''}" "$@"`;
  return {
    folder,
    env: { ...env, PASSWORD, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    programs: { vault: program, bao: program },
    names: new Map([
      // The pages leave out what only this server needs.
      [
        vault,
        `${vault.replace('https://vault.example:8200', bao.address)}  tls: { caFile: ${env.BAO_CACERT} }\n`,
      ],
      ['/run/vault/', `${folder}/run/vault/`],
    ]),
    close: () => bao.close(),
  };
}

/** Creates the objects that the page takes from other steps. */
async function prepareKubernetes(bao: OpenBao, folder: string): Promise<void> {
  await enableSecrets(bao);
  writeFileSync(join(folder, 'kubernetes-ca.pem'), (await makeCertificate({ dns: 'kubernetes' })).cert);
}

/** Creates the KV engine, and an adapter with a password that the platform encrypted. */
async function prepareEncryptedValue(bao: OpenBao, folder: string): Promise<void> {
  await enableSecrets(bao);
  const adapters = join(folder, 'config/adapters');
  mkdirSync(adapters, { recursive: true });
  writeFileSync(join(folder, 'token'), bao.token, { mode: 0o600 });
  writeFileSync(
    join(folder, 'config/gatehouse.yaml'),
    `vault:
  address: ${bao.address}
  auth: { method: token, tokenFile: ${join(folder, 'token')} }
  tls: { caFile: ${join(folder, 'ca.pem')} }
`,
  );
  writeFileSync(
    join(adapters, 'nso1.yaml'),
    `plugin: restconf
baseUrl: https://nso.example:8888
auth: { type: basic, username: admin, password: '$ENC96f2c1d07ab4e85b1c2d' }
`,
  );
}

async function enableSecrets(bao: OpenBao): Promise<void> {
  await bao.ask('POST', 'sys/mounts/secret', { body: { type: 'kv', options: { version: '2' } } });
}
