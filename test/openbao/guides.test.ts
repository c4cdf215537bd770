import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followGuide, marked } from '../docs/follow-guides.js';
import { PASSWORD, type OpenSetting } from '../docs/installations.js';
import { type Block, readPage } from '../docs/markdown.js';
import { makeCertificate } from '../support/certificates.js';
import { findOpenBao, type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { tlsServer } from './gatehouse.js';

// The commands of the guides with the program of the server in place of `vault`.
describe('the guides, followed from an empty folder on a real OpenBao that was just initialized', () => {
  followGuide(readPage('docs/guides/secrets.md'), () => withNewServer());

  const deploying = readPage('docs/guides/deploying.md');
  const kubernetes = marked(deploying).filter(({ text }) => text.includes('vault auth enable kubernetes'));
  followGuide(deploying, () => withNewServer(prepareKubernetes), kubernetes satisfies readonly Block[]);
});

/** Starts a server that has neither an engine nor a policy, with the token of its first administrator. */
async function withNewServer(
  prepare: (bao: OpenBao, folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<OpenSetting> {
  const certificate = await makeCertificate({ ip: '127.0.0.1' });
  const bao = await startOpenBao({
    scheme: 'https',
    config: (place) => tlsServer(place, certificate),
  });
  await bao.initialize();
  const folder = temporaryFolder().path;
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
  await prepare(bao, folder);
  const env = { BAO_ADDR: bao.address, BAO_TOKEN: bao.token, BAO_CACERT: join(folder, 'ca.pem') };
  const vault = 'vault:\n  address: https://vault.example:8200\n';
  return {
    folder,
    env: { ...env, PASSWORD, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    programs: { vault: `exec "${findOpenBao() ?? ''}" "$@"` },
    names: new Map([
      // The guide leaves out what only this server needs.
      [
        vault,
        `${vault.replace('https://vault.example:8200', bao.address)}  tls: { caFile: ${env.BAO_CACERT} }\n`,
      ],
      ['/run/vault/', `${folder}/run/vault/`],
    ]),
    close: () => bao.close(),
  };
}

/** Creates the objects that the guide takes from other steps. */
async function prepareKubernetes(bao: OpenBao, folder: string): Promise<void> {
  await bao.ask('POST', 'sys/mounts/secret', { body: { type: 'kv', options: { version: '2' } } });
  writeFileSync(join(folder, 'file-with-the-url'), 'postgres://gatehouse@db.example:5432/gatehouse');
  writeFileSync(join(folder, 'kubernetes-ca.pem'), (await makeCertificate({ dns: 'kubernetes' })).cert);
}
