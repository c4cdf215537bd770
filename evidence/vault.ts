import { createFakeScheduler } from '../test/support/fake-scheduler.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { startTestServer, type TestServer } from '../test/support/test-server.js';
import { failedOf, startLoad } from './load.js';
import { report, SABOTAGED } from './report.js';

// Vault is sealed while gatehouse serves: no call fails, and only readiness reports it. Vault is sealed while
// gatehouse starts: the start waits, and serves soon after Vault is unsealed. `npm run evidence -- vault
// [MINUTES]`; if Vault is never unsealed the group must fail.
const MINUTES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? '10');
const MAX_STALE_SECONDS = 300;
const STEP_MS = 5_000;
const [SEALED_SECONDS, BOOT_SECONDS] = [30, 60];
/** Seconds after which a start that waits must have seen that Vault is open. */
const MOST_SECONDS = 11;
/** Real time for the work with sockets that one second of a start may have, on a busy machine too. */
const WORK_MS = 250;
const PATH = '/restconf/data/ietf-interfaces:interfaces';
const vaultLines = `  request: { attempts: 1 }
  boot: { waitSeconds: ${BOOT_SECONDS} }
  refresh: { maxStaleSeconds: ${MAX_STALE_SECONDS}, intervalSeconds: 30 }
`;

const warm = await sealedWhileServing();
const cold = await sealedAtStart();
const isWarm = warm.calls > 0 && warm.failed === 0 && warm.readyBefore === 200 && warm.readyAfter === 503;
const isCold =
  cold.waitedSeconds === SEALED_SECONDS && cold.healedAfterSeconds <= MOST_SECONDS && cold.answer === 200;
report('vault', isWarm && isCold, { minutes: MINUTES, maxStaleSeconds: MAX_STALE_SECONDS, warm, cold });

/** Simulates an outage of MINUTES minutes on a fake clock, under calls. */
async function sealedWhileServing() {
  const clock = createFakeScheduler(Date.now());
  const testServer = await startTestServer({ folder: temporaryFolder().path, clock, vaultLines });
  const readyBefore = (await fetch(`${testServer.url}/readyz`)).status;
  testServer.vault.seal();
  const load = startLoad({ ...callsOf(testServer), adapterId: 'core1', path: PATH, callers: 4 });
  for (let passed = 0; passed < MINUTES * 60_000; passed += STEP_MS) {
    await clock.pass(STEP_MS);
    await pause(20);
  }
  await load.stop();
  const readyAfter = (await fetch(`${testServer.url}/readyz`)).status;
  await testServer.close();
  const failed = failedOf(load.counts);
  return { calls: load.counts.answered, failed, readyBefore, readyAfter };
}

/** A start while Vault is sealed: it waits, sends nothing, and serves when Vault is opened. */
async function sealedAtStart() {
  const clock = createFakeScheduler(Date.now());
  let unseal = (): void => undefined;
  let testServer: TestServer | undefined;
  const opening = startTestServer({
    folder: temporaryFolder().path,
    clock,
    vaultLines,
    arrange: (_folder, vault) => {
      vault.seal();
      unseal = () => {
        vault.unseal();
      };
    },
  }).then(
    (opened) => (testServer = opened),
    () => undefined,
  );
  const passUntilServed = async (seconds: number): Promise<number> => {
    let passed = 0;
    for (; passed < seconds && !testServer; passed += 1) {
      await clock.pass(1_000);
      await pause(WORK_MS);
    }
    return passed;
  };
  const waitedSeconds = await passUntilServed(SEALED_SECONDS);
  if (!SABOTAGED) unseal();
  const healedAfterSeconds = await passUntilServed(BOOT_SECONDS);
  const opened = await opening;
  if (!opened) return { waitedSeconds, healedAfterSeconds, answer: 0 };
  const answer = await query(opened);
  await opened.close();
  return { waitedSeconds, healedAfterSeconds, answer };
}

function callsOf(testServer: TestServer): { readonly url: string; readonly token: string } {
  return { url: testServer.url, token: testServer.issueToken('admin') };
}

async function query(testServer: TestServer): Promise<number> {
  const { url, token } = callsOf(testServer);
  const reply = await fetch(`${url}/orchestrator_manager/restQuery/core1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ params: { path: PATH, accept: 'application/yang-data+json' } }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** Waits in real time, for work that uses sockets. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
