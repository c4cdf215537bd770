import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SWEEPING } from '../support/leak-scan.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { refuseEnc } from './refuse-enc.js';
import { visit } from './stop.js';
import { TOUR } from './tour.js';

const HELP = `Usage: npm run demo [-- --once]

Starts a RESTCONF orchestrator, a Vault and gatehouse on this machine, and shows them at work.

  --once   end after the tour: exit code 0 when every answer was right, 1 when one was not
`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs the tour. Resolves to the number of wrong replies. */
async function takeTour(server: TestServer, folder: string): Promise<number> {
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

function introduce({ url, orchestrator, vault, configPath }: TestServer): void {
  print(
    `orchestrator  ${orchestrator.url}   RESTCONF (RFC 8040) with ietf-interfaces data, password protected`,
  );
  print(`vault         ${vault.address}   holds that password`);
  print(`gatehouse     ${url}   serves ${configPath}`);
  print('\n# The adapter "core1" knows its password as $VAULT_adapters/core1#password.');
  print(`# A token is minted with: npx gatehouse token --role admin --config ${configPath}`);
}

function printNextSteps({ url, configPath }: TestServer): void {
  print(`
Everything stays up until you press Ctrl+C. Try next:

  TOKEN=$(npx gatehouse token --role admin --config ${configPath})
  curl -s ${url}/orchestrator_manager/restQuery/core1 \\
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"params":{"path":"/restconf/data/ietf-interfaces:interfaces","accept":"application/yang-data+json"}}'

  npx gatehouse check --config ${configPath} --probe
  npx gatehouse openapi`);
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    print(HELP);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
  const server = await startTestServer({ folder });
  try {
    introduce(server);
    const wrong = await takeTour(server, folder);
    print(
      wrong === 0 ? '\nEvery answer was right.' : `\n${wrong} answers were wrong; see the lines with "!".`,
    );
    if (args.includes('--once')) return wrong === 0 ? 0 : 1;
    printNextSteps(server);
    await interrupted();
    return 0;
  } finally {
    await server.close();
    if (!SWEEPING) rmSync(folder, { recursive: true, force: true });
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}

process.exitCode = await main(process.argv.slice(2));
