import { readRequirements, tally } from '../test/docs/asvs-map.js';
import { figure } from './figure.js';
import type { Records } from './records.js';

/** A target number. */
interface EvidenceNumber {
  readonly asked: string;
  /** Groups whose figures contain the number. */
  readonly groups: readonly string[];
  /** Returns the result, from the records or the map of ASVS; empty without a record. */
  readonly found: (records: Records) => string;
  /** Shortfall and its reason, reviewed by hand. */
  readonly note?: string;
}

const none = (): string => '';

/** Joins the sentences for which there is a record. */
function sentences(...all: readonly (string | false)[]): string {
  return all.filter(Boolean).join(' ');
}

/** In the order of the specification. */
export const NUMBERS: readonly EvidenceNumber[] = [
  {
    asked:
      '1,259 named token vectors verified as specified, 103,979 known secrets refused, 0 of 1,000,000 changed tokens accepted, 0 connections',
    groups: ['jwt'],
    found: (records) => {
      const of = figure(records, 'jwt');
      const parts = ['suites.signature', 'suites.key', 'suites.crypto', 'suites.encryption'];
      const bad = parts.map((part) => `${of(`${part}.badRefused`)} of ${of(`${part}.bad`)}`);
      return of.exists
        ? `Wycheproof: refused ${bad.join(', ')} (JWS, JWK, crypto, JWE); playbook ${of('playbook.asSpecified')} of ${of('playbook.vectors')}; own ${of('own.asSpecified')} of ${of('own.vectors')}, over HTTP ${of('overHttp.asSpecified')} of ${of('overHttp.vectors')}; changed ${of('changed.changed')}, accepted ${of('changed.accepted')}; known secrets refused ${of('secrets.refused')} of ${of('secrets.known')}; connections ${of('outbound')}.`
        : '';
    },
    note: 'The known secrets that are not refused have at least 32 bytes. Only the list itself distinguishes them from good secrets, and the product does not contain the list.',
  },
  {
    asked:
      '0 canaries reached by 430 spellings as seen by 3 observers, 4,294,967,296 of 4,294,967,296 addresses classified correctly, 0 of 10,000 rebindings, 1 DNS look-up for each call',
    groups: ['ssrf', 'addresses'],
    found: (records) => {
      const of = figure(records, 'ssrf');
      const all = figure(records, 'addresses');
      return sentences(
        of.exists &&
          `${of('reached')} canaries of ${of('vectors')} spellings, ${of('connections')} connections as counted by the process, ${of('connects')} as counted by the kernel; rebindings ${of('rebinding.reached')} of ${of('rebinding.tries')}, at most ${of('rebinding.mostLookups')} look-ups for one.`,
        all.exists &&
          `Addresses: ${all('addresses')}, classified differently from the oracle ${all('disagreements')}.`,
      );
    },
  },
  {
    asked:
      '0 of 22,664 malicious paths and of 1,000,000 generated paths escape, 0 of 300 legitimate paths refused',
    groups: ['paths'],
    found: (records) => {
      const of = figure(records, 'paths');
      return of.exists
        ? `escaped ${of('escaped')} of ${of('vectors')} and ${of('generatedEscaped')} of ${of('generated')} generated; legitimate paths refused ${of('legitimateRefused')} of ${of('legitimate')}.`
        : '';
    },
  },
  {
    asked: '1,336 smuggling vectors refused, 0 second requests, 33 of 33 of h1spec, 318 of 318 JSON files',
    groups: ['http', 'json'],
    found: (records) => {
      const of = figure(records, 'http');
      const json = figure(records, 'json');
      return sentences(
        of.exists &&
          `refused ${of('refused')} of ${of('vectors')} (nginx ${of('rivals.nginx.refused')}, HAProxy ${of('rivals.haproxy.refused')}), second requests ${of('secondRequests')}; conformance ${of('conformance.asSpecified')} of ${of('conformance.cases')}; other spellings of routes ${of('routing.requests')}, accepted ${of('routing.done')}.`,
        json.exists &&
          `JSON as specified ${json('asSpecified')} of ${json('vectors')}, ${json('ofJsonTestSuite')} of them from the suite, and ${json('overHttp.asSpecified')} over HTTP.`,
      );
    },
    note: 'Two files of the suite have duplicate names in one object; gatehouse refuses them by design.',
  },
  {
    asked:
      '60 of 60 malicious orchestrators end in a documented error within the deadline and 250 ms, memory at most twice the limit',
    groups: ['hostile'],
    found: (records) => {
      const of = figure(records, 'hostile');
      return of.exists
        ? `as documented ${of('asDocumented')} of ${of('vectors')}, longest overrun ${of('worstOverrunMs')} ms, greatest growth ${of('worstGrowthMb')} MB with a limit of ${of('limitMb')} MB, connections poisoned ${of('poisoned')}.`
        : '';
    },
  },
  {
    asked: '300 bombs refused or finished within 1 s, main loop blocked for at most 50 ms',
    groups: ['bombs', 'yang-bombs'],
    found: (records) => {
      const of = figure(records, 'bombs');
      const yang = figure(records, 'yang-bombs');
      return sentences(
        of.exists &&
          `${of('bombs')} schemas, longest ${of('longest.ms')} ms, longest block of the main loop ${of('stall.ms')} ms.`,
        yang.exists &&
          `${yang('bombs')} YANG modules, slowest ${yang('slowest.ms')} ms, longest block of the main loop ${yang('stall.ms')} ms.`,
      );
    },
  },
  {
    asked: '0 secrets outside the one header, over the whole suite',
    groups: [],
    found: none,
    note: 'Checked by `npm test -- --leak-scan`, which fails if it finds a secret.',
  },
  {
    asked:
      'mutation score of 90 % on auth, egress, paths, configuration, audit, and tests of every line and branch',
    groups: ['mutation'],
    found: (records) => {
      const of = figure(records, 'mutation');
      const scores = ['audit', 'egress', 'paths', 'auth', 'config']
        .filter((room) => of(`rooms.${room}`) !== '?')
        .map((room) => {
          const value = (name: string): string => of(`rooms.${room}.${name}`);
          const part = value('percent') === '100' ? 'its mutants' : `${value('percent')} % of its mutants`;
          return `${room} ${value('score')} % of ${part}, ${value('uncovered')} of them in code that no test runs`;
        });
      return of.exists ? `${scores.join('; ')}.` : '';
    },
    note: 'Most of the configuration is schemas, which are created when their module is loaded, so each mutant needs a separate process; all of them take more than two hours.',
  },
  {
    asked: '10,000,000 executions for each parser, 0 crashes, 0 hangs',
    groups: ['fuzz'],
    found: (records) => {
      const of = figure(records, 'fuzz');
      return of.exists
        ? `${of('targets')} parsers, at least ${of('least')} executions of each and ${of('executions')} in total; crashes ${of('crashes')}, hangs ${of('hangs')}, longest ${of('slowestMs')} ms.`
        : '';
    },
  },
  {
    asked: 'every applicable requirement of ASVS 5.0 level 1 and 2 linked to a test',
    groups: [],
    found: () => {
      const { met, unmet } = tally(readRequirements());
      return `${met} of ${met + unmet}; [the map](asvs.md) has the reason for each of the other ${unmet}.`;
    },
  },
  {
    asked:
      '0 acknowledged writes lost in 10,000 kill -9 of SQLite, 1,000 of PostgreSQL, 100 failovers and 1,000,000 power failures, and the harness fails without fsync',
    groups: ['crash', 'power', 'cluster'],
    found: (records) => {
      const of = figure(records, 'crash');
      const power = figure(records, 'power');
      const cluster = figure(records, 'cluster');
      return sentences(
        of.exists &&
          `lost ${of('lost')} of ${of('acknowledged')} acknowledged writes in ${of('crashes')} crashes of a store, caused by ${of('kills')} kills of its process.`,
        power.exists &&
          `${power('honest.states')} states of a disk after a power failure, ${power('honest.losing')} with a lost write; without fsync ${power('sabotaged.losing')} of ${power('sabotaged.states')}.`,
        cluster.exists &&
          `PostgreSQL: lost ${cluster('writesLost')} of ${cluster('writesAcknowledged')} in ${cluster('failovers')} kills of a primary with a synchronous standby.`,
      );
    },
    note: 'A failover with a new standby takes 20 s under load, so 100 take half an hour and 1,000 take six hours.',
  },
  {
    asked: '0 failed of 1,000,000 requests over 100 reloads and 100 restarts',
    groups: ['restarts', 'reload'],
    found: (records) => {
      const of = figure(records, 'restarts');
      const reload = figure(records, 'reload');
      return sentences(
        of.exists &&
          `${of('calls')} calls over ${of('reloads')} reloads and ${of('restarts')} restarts of two workers, failed ${of('failed')}.`,
        reload.exists &&
          `In one process: ${reload('calls')} calls over ${reload('reloads')} reloads, failed ${reload('failed')}.`,
      );
    },
  },
  {
    asked: '0 requests failed because of Vault while secrets are cached',
    groups: ['vault'],
    found: (records) => {
      const of = figure(records, 'vault');
      return of.exists
        ? `${of('minutes')} minutes of outage: ${of('warm.calls')} calls, failed ${of('warm.failed')}. A server that started without Vault serves ${of('cold.healedAfterSeconds')} s after Vault does.`
        : '';
    },
    note: 'The tests of V1 to V5 check each state of Vault.',
  },
  {
    asked:
      'with one unreachable adapter: p99 of other adapters at most 1.10 times the usual, 0 errors; 0 of 100,000 actions sent twice',
    groups: ['isolation', 'storm'],
    found: (records) => {
      const of = figure(records, 'isolation');
      const storm = figure(records, 'storm');
      return sentences(
        of.exists &&
          `With ${of('stuck')} stuck calls of one adapter, p99 of another is ${of('ratio')} times the usual, failed ${of('failed')}.`,
        storm.exists && `Received twice ${storm('receivedTwice')} of ${storm('actions')}.`,
      );
    },
  },
  {
    asked: 'ten times the maximum load: 90 % of the peak rate, refused within 5 ms, health within 100 ms',
    groups: ['overload'],
    found: (records) => {
      const of = figure(records, 'overload');
      return of.exists
        ? `Calls of ${of('heavy.callMs')} ms: ${of('heavy.part')} of the peak of ${of('heavy.peak')} a second, health within ${of('heavy.healthP99Ms')} ms, refused in ${of('heavy.refusedP50Ms')} ms. Calls of ${of('light.callMs')} ms: ${of('light.part')} of ${of('light.peak')}, ${of('light.healthP99Ms')} ms, ${of('light.refusedP50Ms')} ms.`
        : '';
    },
    note: 'A refusal takes 40 to 110 us of CPU time, most of it in the HTTP parser and writer of Node.js. Nine refusals for each answered call cost a fifth to a half of a call of 2 ms, which is the missing part. A refused call waits until the current turn of the event loop ends, at most the time of one call of the heavy kind.',
  },
  {
    asked:
      'no growth of memory over 4,320,000 requests, at most 256 MB; no more open files and sockets than before',
    groups: ['day', 'leak', 'restarts'],
    found: (records) => {
      const day = figure(records, 'day');
      const of = figure(records, 'leak');
      const load = figure(records, 'restarts');
      const change = (name: string): string =>
        `${of(`before.${name}`)} before and ${of(`after.${name}`)} after`;
      return sentences(
        day.exists &&
          `${day('calls')} calls, failed ${day('failed')}: median MB of each quarter ${day('medianMb.first')}, ${day('medianMb.second')}, ${day('medianMb.third')}, ${day('medianMb.last')}, maximum ${day('mostMb')}; open files ${day('openFiles.atRest')} before and ${day('openFiles.left')} after.`,
        of.exists &&
          `${of('reloads')} reloads: bytes of heap ${change('heap')}, sockets ${change('sockets')}, listeners ${change('listeners')}.`,
        load.exists &&
          `${load('calls')} calls with restarts: the main process has ${load('mainMb.first')} MB in the first round and ${load('mainMb.last')} MB in the last.`,
      );
    },
    note: 'The growth of the heap after reloads is mostly log lines and timeline events, whose number is limited.',
  },
  {
    asked: 'main loop blocked for at most 50 ms by any work',
    groups: ['stalls', 'bombs', 'yang-bombs'],
    found: (records) => {
      const of = figure(records, 'stalls');
      const schemas = figure(records, 'bombs');
      const yang = figure(records, 'yang-bombs');
      return sentences(
        of.exists &&
          `While forms are stored: ${of('longestMs')} ms. While ${of('requests.vectors')} costly bodies are sent to every operation: ${of('requests.longestMs')} ms.`,
        schemas.exists && `While schemas are validated: ${schemas('stall.ms')} ms.`,
        yang.exists && `While YANG is compiled: ${yang('stall.ms')} ms.`,
      );
    },
  },
  {
    asked: 'each of 8 system calls fails in turn with 5 errors: 0 violations',
    groups: ['faults'],
    found: (records) => {
      const of = figure(records, 'faults');
      return of.exists
        ? `${of('runs')} runs with ${of('faults')} faults: ${of('calls')} system calls with ${of('errors')} errors, one in ${of('every')}; acknowledged ${of('acknowledged')}, violations ${of('violations')}.`
        : '';
    },
    note: 'Each run starts gatehouse twice under strace. A quarter of the runs takes 15 minutes, and all of them take more than an hour.',
  },
  {
    asked: '0 acknowledged changes without an audit record after 1,000 kill -9; every changed byte found',
    groups: ['audit'],
    found: (records) => {
      const of = figure(records, 'audit');
      return of.exists
        ? `${of('without')} of ${of('acknowledged')} (${of('actions')} of them actions of an orchestrator) without a record in ${of('kills')} kills, and the chain is valid; ${of('changed.unnoticed')} of ${of('changed.changes')} changed bytes unnoticed.`
        : '';
    },
  },
  {
    asked: 'the suite 100 times in a row, 0 flaky',
    groups: ['suite'],
    found: (records) => {
      const of = figure(records, 'suite');
      return of.exists
        ? `${of('runs')} times in a row: ${of('tests')} tests, flaky ${of('flaky')}, failing ${of('failing')}.`
        : '';
    },
    note: 'One run takes a quarter of an hour, and a hundred runs take more than a day.',
  },
  {
    asked:
      'each flood within 1 GiB: health always answers, 95 % of the calls and 90 % of the logins of others succeed during the flood, all of them 5 s later; a single request blocks the main loop for at most 50 ms',
    groups: ['floods', 'hostile'],
    found: (records) => {
      const of = figure(records, 'floods');
      const hostile = figure(records, 'hostile');
      return sentences(
        of.exists && `Floods within these targets: ${of('holding')} of ${of('measured')}.`,
        typeof records['hostile']?.['stops'] === 'object' &&
          `Longest block of the main loop by one of ${hostile('stops.vectors')} malicious replies: ${hostile('stops.longestMs')} ms, with a limit of ${hostile('stops.mostMs')} ms.`,
      );
    },
    note: 'The time limits grow with the longest response time that the same run measured before the flood.',
  },
];
