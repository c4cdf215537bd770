import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { hashPassword } from '../../auth/password-hash.js';
import { Secret } from '../../core/secret.js';
import { createFolder } from '../../lib/create-folder.js';
import { recordingFile } from '../../upstream/stub/recording.js';
import { parseBaseUrl } from '../../upstream/target.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from '../lib/command.js';
import { writeSchemas } from '../schemas.js';
import { ADAPTER_ID, ADAPTER_URL, adapterFile, mainFile, productionFile, RECORDINGS } from './init-files.js';
import { createCertificate, trustSteps } from './local-ca.js';

/** Writes a first configuration: one that serves without any other system, or one for production. */
export const init: Command = {
  name: 'init',
  help: `Usage: gatehouse init [--config PATH] [--trust | --production]

Writes a commented configuration that serves at once, without Vault, an identity provider or
an orchestrator: the main file, a self-signed certificate for localhost, one user whose
password is printed, and an adapter that answers with recorded replies. An existing file is
never changed. Also writes the JSON Schemas for editors, as "gatehouse schemas" does.

Options:
${CONFIG_OPTION_HELP}
  --trust         sign the certificate with a local CA, and print how the browsers of this machine trust
                  that CA, and how to undo it. Changes no trust store itself
  --production    write the main file of a server in production instead: with TLS, an identity
                  provider, Vault, limits, and durable records. Replace its example addresses, and
                  run "gatehouse check --production --probe" until it finds nothing`,
  async run(args, io) {
    const { config, production, trust } = parseOptions(args, {
      config: { type: 'string' },
      trust: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
    });
    if (production && trust)
      throw new UsageError('--trust is for the certificate of a trial, not for --production');
    const path = configPath(config, io.env);
    const option = config === undefined ? '' : ` --config ${config}`;
    if (production) {
      await writeFiles(new Map([[path, productionFile()]]), io);
      io.out(productionSteps(dirname(path), option));
    } else {
      const password = createPassword();
      const caName = `gatehouse local CA ${randomBytes(4).toString('hex')}`;
      await writeFiles(await trialFiles(path, password, trust ? caName : undefined), io);
      io.out(trialSteps(password, option, trust));
      if (trust) io.out(trustSteps(resolve(caFile(path)), caName, process.platform));
    }
    return EXIT.ok;
  },
};

/** Writes files that do not exist yet, for the owner only, and the schemas beside the first of them. */
async function writeFiles(files: ReadonlyMap<string, string>, io: CommandIo): Promise<void> {
  const [main = ''] = files.keys();
  const existing = [...files.keys()].filter((file) => existsSync(file));
  if (existing.length > 0)
    throw new UsageError(`${existing[0] ?? ''} exists already; name another file with --config`);
  for (const [file, text] of files) {
    createFolder(dirname(file));
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    io.err(`wrote ${relative('.', file)}\n`);
  }
  await writeSchemas(dirname(main), io);
}

function caFile(path: string): string {
  return join(dirname(path), 'tls', 'ca.pem');
}

async function trialFiles(
  path: string,
  password: string,
  caName: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const folder = dirname(path);
  const { key, cert, ca } = await createCertificate(caName);
  return new Map([
    [path, mainFile(await hashPassword(new Secret(password)))],
    [join(folder, 'tls', 'cert.pem'), cert],
    [join(folder, 'tls', 'key.pem'), key],
    ...(ca === undefined ? [] : ([[caFile(path), ca]] as const)),
    [join(folder, 'adapters', `${ADAPTER_ID}.yaml`), adapterFile()],
    ...RECORDINGS.map(
      (recording) =>
        [
          recordingFile(join(folder, 'recordings'), parseBaseUrl(ADAPTER_URL), recording.request),
          `${JSON.stringify(recording, null, 2)}\n`,
        ] as const,
    ),
  ]);
}

const trialSteps = (password: string, option: string, trust: boolean): string => `
Serve it:                gatehouse serve${option}
Open the console:        https://localhost:3443/ui/${trust ? '' : '   (the certificate is self-signed)'}
Sign in as admin with:   ${password}

The password is not stored. To replace it, run "gatehouse hash".
`;

const productionSteps = (folder: string, option: string): string => `
1. Replace the addresses that end in ".example".
2. Put the certificate and its key into ${join(folder, 'tls')}/, and adapters into ${join(folder, 'adapters')}/.
3. Give the server its credentials for Vault: the files that vault.auth names.
4. Check:   gatehouse check --production --probe${option}
5. Serve:   gatehouse serve${option}
`;

const PASSWORD_CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Creates a password of four groups of four characters (80 bits), without characters that look alike. */
function createPassword(): string {
  const character = (): string => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)] ?? '';
  const group = (): string => Array.from({ length: 4 }, character).join('');
  return Array.from({ length: 4 }, group).join('-');
}
