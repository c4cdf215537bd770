import assert from 'node:assert/strict';
import { checkMistake, type Mistake } from '../../support/mistakes.js';

const MAIN_KEYS =
  'release, server, auth, roles, access, limits, vault, secrets, storage, adapters, egress, lists, forms, console, mcp, log, audit, tracing, metrics, notifications';
const SERVER_KEYS =
  'listen, publicUrl, tls, limits, overload, trustedProxies, proxyProtocol, cors, lameDuckSeconds, drainSeconds, watchdogSeconds, workers, adapterStarts, reloadPlugins';
const LISTEN_FORM = 'host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000';

interface Row extends Mistake {
  readonly mistake: string;
  /** `LINE:COLUMN POINTER: MESSAGE | FIX` of the only fault. */
  readonly says: string;
}

const rows: readonly Row[] = [
  { mistake: 'Y03 a misspelt block', main: 'servr: {}\n', says: `1:1 /servr: is not known here; known: ${MAIN_KEYS}; did you mean "server"? | Correct the name, or remove the member.` },
  { mistake: 'Y04 a misspelt key', main: 'server: { listn: 127.0.0.1:3000 }\n', says: `1:11 /server/listn: is not known here; known: ${SERVER_KEYS}; did you mean "listen"? | Correct the name, or remove the member.` },
  { mistake: 'Y05 a port without a host', main: 'server: { listen: 3000 }\n', says: `1:19 /server/listen: must be a string | Write ${LISTEN_FORM}.` },
  { mistake: 'Y06 a colon and a port', main: 'server: { listen: ":3000" }\n', says: `1:19 /server/listen: must be ${LISTEN_FORM} | Write the value in this form.` },
  { mistake: 'Y09 a number in words', main: 'server: { workers: two }\n', says: '1:20 /server/workers: must be a number from 1 to 256, or auto | Write the value in one of the allowed forms.' },
  { mistake: 'Y10 a number that is too small', main: 'server: { workers: 0 }\n', says: '1:20 /server/workers: must be a number from 1 to 256, or auto | Write the value in one of the allowed forms.' },
  { mistake: 'Y11 seconds with a unit', main: 'server: { drainSeconds: 30s }\n', says: '1:25 /server/drainSeconds: must be a whole number of seconds | Write the seconds as a whole number from 0 to 3600, for example 30.' },
  { mistake: 'Y11 milliseconds in quotes', main: 'egress: { timeoutMs: "500" }\n', says: '1:22 /egress/timeoutMs: must be a whole number of milliseconds | Write the number without quotes.' },
  { mistake: 'Y12 an unknown log level', main: 'log: { level: warning }\n', says: '1:15 /log/level: must be one of error, warn, info, debug, trace, spam | Write one of these values.' },
  { mistake: 'Y18 a release without quotes', main: 'release: 2023.2\n', says: "1:10 /release: must be a string | Put it in quotes: '2023.2'. Without quotes, it is a number." },
  { mistake: 'Y19 a list in place of the whole file', main: '- server: {}\n', says: `1:1 : must be an object | Write an object with the keys ${MAIN_KEYS}; in YAML, without "- " before them.` },
  { mistake: 'Y19 a list in place of a block', main: 'server: [a]\n', says: `1:9 /server: must be an object | Write an object with the keys ${SERVER_KEYS}; in YAML, without "- " before them.` },
]; // prettier-ignore

describe('gatehouse check tells how to correct', () => {
  for (const { mistake, says, ...written } of rows)
    it(mistake, async () => {
      assert.deepEqual((await checkMistake(written)).faults, [`gatehouse.yaml:${says}`]);
    });

  it('Y20 a binary file', async () => {
    const { faults } = await checkMistake({ main: Buffer.from([0xff, 0xfe, 0x00]) });
    assert.deepEqual(faults, ['gatehouse.yaml : is not valid UTF-8 | Save the file as UTF-8.']);
  });
});
