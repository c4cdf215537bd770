import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { hashPassword } from '../auth/password-hash.js';
import { Secret } from '../core/secret.js';
import { recordingFile } from '../upstream/stub/recording.js';
import { parseBaseUrl } from '../upstream/target.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parseOptions,
  UsageError,
} from './command.js';
import { ADAPTER_ID, ADAPTER_URL, adapterFile, mainFile, productionFile, RECORDINGS } from './init-files.js';
import { writeSchemas } from './schemas.js';

/** Writes a first configuration: one that serves without any other system, or one for production. */
export const init: Command = {
  name: 'init',
  help: `Usage: gatehouse init [--config PATH] [--production]

Writes a commented configuration that serves at once, without Vault, an identity provider or
an orchestrator: the main file, a self-signed certificate for localhost, one user whose
password is printed, and an adapter that answers with recorded replies. An existing file is
never changed. Also writes the JSON Schemas for editors, as "gatehouse schemas" does.

Options:
${CONFIG_OPTION_HELP}
  --production    write the main file of a server in production instead: with TLS, an identity
                  provider, Vault, limits, and durable records. Replace its example addresses, and
                  run "gatehouse check --production --probe" until it finds nothing`,
  async run(args, io) {
    const { config, production } = parseOptions(args, {
      config: { type: 'string' },
      production: { type: 'boolean', default: false },
    });
    const path = configPath(config, io.env);
    const option = config === undefined ? '' : ` --config ${config}`;
    if (production) {
      await writeFiles(new Map([[path, productionFile()]]), io);
      io.out(productionSteps(dirname(path), option));
    } else {
      const password = createPassword();
      await writeFiles(await trialFiles(path, password), io);
      io.out(trialSteps(password, option));
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
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    io.err(`wrote ${relative('.', file)}\n`);
  }
  await writeSchemas(dirname(main), io);
}

async function trialFiles(path: string, password: string): Promise<ReadonlyMap<string, string>> {
  const folder = dirname(path);
  const { key, cert } = await createCertificate();
  return new Map([
    [path, mainFile(await hashPassword(new Secret(password)))],
    [join(folder, 'tls', 'cert.pem'), cert],
    [join(folder, 'tls', 'key.pem'), key],
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

const trialSteps = (password: string, option: string): string => `
Serve it:                gatehouse serve${option}
Open the console:        https://localhost:3443/ui/   (the certificate is self-signed)
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

const DAY_MS = 86_400_000;

/** Creates a key and a self-signed certificate (EC P-256) for localhost, valid for a year. */
async function createCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const { generate } = await import('selfsigned');
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY_MS),
    notAfterDate: new Date(Date.now() + 365 * DAY_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
}
