import { randomInt } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../src/auth/password-hash.js';
import type { CommandIo } from '../src/cli/lib/command.js';
import { Secret } from '../src/core/secret.js';
import { IS_LEAK_SCAN, keepSecret } from '../test/support/leak-scan.js';
import { startTestServer, type TestServer } from '../test/support/test-server.js';
import { refuseEnc } from './refuse-enc.js';
import { visit } from './stop.js';
import { TOUR } from './tour.js';

/** Options of the demo. */
export interface DemoOptions {
  /** True: ends after the tour. */
  readonly once: boolean;
  readonly listen: string;
}

/** User of the console in the demo. */
const USER = 'ada';

/**
 * Starts an orchestrator, a Vault and gatehouse on this machine, runs the tour and waits for the end. Resolves
 * to the exit code: 1 if a reply was wrong.
 */
export async function runDemo({ once, listen }: DemoOptions, io: CommandIo): Promise<number> {
  const stopped = new Promise<void>((resolve) => {
    const release = io.onStop(() => {
      release();
      resolve();
    });
  });
  const print = (line: string): void => {
    io.out(`${line}\n`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
  const password = createPassword();
  const passwordHash = await hashPassword(new Secret(password));
  const server = await startTestServer({
    folder,
    listen,
    arrange: () => {
      addUser(join(folder, 'gatehouse.yaml'), passwordHash);
    },
  });
  // In a checkout the command is not on the path.
  const command = io.env['GATEHOUSE_DEMO_CHECKOUT'] === undefined ? 'gatehouse' : 'npx gatehouse';
  try {
    introduce(server, print);
    const wrong = await takeTour(server, folder, print);
    print(
      wrong === 0 ? '\nEvery answer was right.' : `\n${wrong} answers were wrong; see the lines with "!".`,
    );
    if (once) return wrong === 0 ? 0 : 1;
    printNextSteps(server, command, print);
    print('\nEverything stays up until you press Ctrl+C.');
    if (await isConsoleBuilt(io, stopped, print))
      print(`\nOpen ${server.url}/ui/ and sign in as ${USER} with the password ${password}`);
    await stopped;
    return 0;
  } finally {
    await server.close();
    if (!IS_LEAK_SCAN) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until the console is built, which 'npm run demo' does during the tour. Resolves to false if the build failed, or if the
 * demo was stopped before.
 */
async function isConsoleBuilt(
  { env }: Pick<CommandIo, 'env'>,
  stopped: Promise<void>,
  print: (line: string) => void,
): Promise<boolean> {
  if (env['GATEHOUSE_DEMO_CHECKOUT'] !== 'building') return true;
  print('The console is being built. Its address and the password follow in a minute or two.');
  const built = new Promise<boolean>((resolve) => {
    process.once('message', (message) => {
      resolve(message === 'built');
    });
  });
  const isBuilt = await Promise.race([built, stopped.then(() => false)]);
  process.disconnect();
  return isBuilt;
}

/** Creates a password of four groups that a person can copy from the screen. */
function createPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  const password = Array.from({ length: 4 }, group).join('-');
  keepSecret(password);
  return password;
}

function addUser(configPath: string, passwordHash: string): void {
  const text = readFileSync(configPath, 'utf8');
  const lines = text.split('\n').filter((line) => !line.startsWith('auth: '));
  writeFileSync(configPath, lines.join('\n'));
  appendFileSync(
    configPath,
    `auth:
  local:
    keyFile: data/local-issuer.pem
    users: [{ username: ${USER}, passwordHash: "${passwordHash}", roles: [admin] }]
`,
  );
}

/** Runs the tour. Resolves to the number of wrong replies. */
async function takeTour(server: TestServer, folder: string, print: (line: string) => void): Promise<number> {
  const guide = { ...server, print };
  let wrong = 0;
  const report = (complaints: readonly string[]): void => {
    for (const complaint of complaints) print(`! ${complaint}`);
    wrong += complaints.length === 0 ? 0 : 1;
  };
  for (const stop of TOUR) report(await visit(stop, guide));
  report(await refuseEnc(folder, print));
  return wrong;
}

function introduce(
  { url, orchestrator, vault, configPath }: TestServer,
  print: (line: string) => void,
): void {
  print(
    `orchestrator  ${orchestrator.url}   RESTCONF (RFC 8040) with ietf-interfaces data, password protected`,
  );
  print(`vault         ${vault.address}   holds that password`);
  print(`gatehouse     ${url}   serves ${configPath}`);
  print('\n# The adapter "core1" knows its password as $VAULT_adapters/core1#password.');
}

function printNextSteps(
  { url, configPath }: TestServer,
  command: string,
  print: (line: string) => void,
): void {
  print(`
Try next:

  TOKEN=$(${command} token --role admin --config ${configPath})
  curl -s ${url}/orchestrator_manager/restQuery/core1 \\
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"params":{"path":"/restconf/data/ietf-interfaces:interfaces","accept":"application/yang-data+json"}}'

  ${command} check --config ${configPath} --probe
  ${command} openapi`);
}
