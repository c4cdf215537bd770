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
      '1,259 named vectors of tokens judged right, 103,979 known secrets refused, 1,000,000 changed tokens, 0 accepted, 0 connections',
    groups: ['jwt'],
    found: (records) => {
      const of = figure(records, 'jwt');
      const parts = ['suites.signature', 'suites.key', 'suites.crypto', 'suites.encryption'];
      const bad = parts.map((part) => `${of(`${part}.badRefused`)} of ${of(`${part}.bad`)}`);
      return of.exists
        ? `Wycheproof: refused ${bad.join(', ')} (JWS, JWK, crypto, JWE); playbook ${of('playbook.asSpecified')} of ${of('playbook.vectors')}; own ${of('own.asSpecified')} of ${of('own.vectors')}, over HTTP ${of('overHttp.asSpecified')} of ${of('overHttp.vectors')}; changed ${of('changed.changed')}, accepted ${of('changed.accepted')}; known secrets refused ${of('secrets.refused')} of ${of('secrets.known')}; connections ${of('outbound')}.`
        : '';
    },
    note: 'The known secrets that are not refused have 32 bytes or more: nothing but the list itself tells them from good ones, and the list is no part of the product.',
  },
  {
    asked:
      '0 canaries reached of 430 spellings by 3 witnesses, 4,294,967,296 of as many addresses classified right, 0 of 10,000 rebindings, 1 look-up a call',
    groups: ['ssrf', 'addresses'],
    found: (records) => {
      const of = figure(records, 'ssrf');
      const all = figure(records, 'addresses');
      return sentences(
        of.exists &&
          `${of('reached')} canaries of ${of('vectors')} spellings, ${of('connections')} connections by the process's own account, ${of('connects')} by the kernel's; rebindings ${of('rebinding.reached')} of ${of('rebinding.tries')}, most look-ups for one ${of('rebinding.mostLookups')}.`,
        all.exists &&
          `Addresses: ${all('addresses')}, classified otherwise than by the oracle ${all('disagreements')}.`,
      );
    },
  },
  {
    asked: 'paths: 0 escapes of 22,664 and of 1,000,000 generated, 0 of 300 legitimate ones refused',
    groups: ['paths'],
    found: (records) => {
      const of = figure(records, 'paths');
      return of.exists
        ? `escapes ${of('escaped')} of ${of('vectors')} and ${of('generatedEscaped')} of ${of('generated')} generated; legitimate refused ${of('legitimateRefused')} of ${of('legitimate')}.`
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
          `refused ${of('refused')} of ${of('vectors')} (nginx ${of('rivals.nginx.refused')}, HAProxy ${of('rivals.haproxy.refused')}), second requests ${of('secondRequests')}; conformance ${of('conformance.asSpecified')} of ${of('conformance.cases')}; routes written otherwise ${of('routing.requests')}, let in ${of('routing.done')}.`,
        json.exists &&
          `JSON as specified ${json('asSpecified')} of ${json('vectors')}, of them ${json('ofJsonTestSuite')} of the suite, and ${json('overHttp.asSpecified')} over HTTP.`,
      );
    },
    note: 'Two files of the suite have a name twice in one object and are refused on purpose.',
  },
  {
    asked:
      '60 of 60 hostile upstreams end in a documented error within the deadline and 250 ms, memory at most twice the limit',
    groups: ['hostile'],
    found: (records) => {
      const of = figure(records, 'hostile');
      return of.exists
        ? `as documented ${of('asDocumented')} of ${of('vectors')}, longest overrun ${of('worstOverrunMs')} ms, greatest growth ${of('worstGrowthMb')} MB with a limit of ${of('limitMb')} MB, connections poisoned ${of('poisoned')}.`
        : '';
    },
  },
  {
    asked: '300 bombs refused or done within 1 s, main loop stopped at most 50 ms',
    groups: ['bombs', 'yang-bombs'],
    found: (records) => {
      const of = figure(records, 'bombs');
      const yang = figure(records, 'yang-bombs');
      return sentences(
        of.exists &&
          `${of('bombs')} schemas, longest ${of('longest.ms')} ms, longest stop ${of('stall.ms')} ms.`,
        yang.exists &&
          `${yang('bombs')} texts of YANG, slowest ${yang('slowest.ms')} ms, longest stop ${yang('stall.ms')} ms.`,
      );
    },
  },
  {
    asked: '0 secrets outside the one header, over the whole suite',
    groups: [],
    found: none,
    note: 'By `npm test -- --leak-scan`, which fails on the first one.',
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
          const told = (name: string): string => of(`rooms.${room}.${name}`);
          const part = told('percent') === '100' ? 'its mutants' : `${told('percent')} % of its mutants`;
          return `${room} ${told('score')} % of ${part}, ${told('uncovered')} of them where no test comes by`;
        });
      return of.exists ? `${scores.join('; ')}.` : '';
    },
    note: 'Most of the configuration is schemas, which are made when they are loaded: each of its mutants needs a process of its own, and all of them two hours and more.',
  },
  {
    asked: '10,000,000 executions for each parser, 0 crashes, 0 hangs',
    groups: ['fuzz'],
    found: (records) => {
      const of = figure(records, 'fuzz');
      return of.exists
        ? `${of('targets')} parsers, at least ${of('least')} executions of each and ${of('executions')} in all; crashes ${of('crashes')}, hangs ${of('hangs')}, longest ${of('slowestMs')} ms.`
        : '';
    },
  },
  {
    asked: 'every applicable requirement of ASVS 5.0 level 1 and 2 linked to a test',
    groups: [],
    found: () => {
      const { met, unmet } = tally(readRequirements());
      return `${met} of ${met + unmet} are; each of the other ${unmet} has its reason, in [the map](asvs.md).`;
    },
  },
  {
    asked:
      '0 acknowledged writes lost in 10,000 kill -9 of SQLite, 1,000 of PostgreSQL, 100 failovers and 1,000,000 power losses, and the harness fails without syncs',
    groups: ['crash', 'power', 'cluster'],
    found: (records) => {
      const of = figure(records, 'crash');
      const power = figure(records, 'power');
      const cluster = figure(records, 'cluster');
      return sentences(
        of.exists &&
          `lost ${of('lost')} of ${of('acknowledged')} in ${of('crashes')} crashes of a store, by ${of('kills')} kills of its process.`,
        power.exists &&
          `${power('honest.states')} disks after a loss of power, losing ${power('honest.losing')}; without syncs ${power('sabotaged.losing')} of ${power('sabotaged.states')}.`,
        cluster.exists &&
          `PostgreSQL: lost ${cluster('writesLost')} of ${cluster('writesAcknowledged')} in ${cluster('failovers')} kills of a primary with a synchronous standby.`,
      );
    },
    note: 'A failover with its new standby takes 20 s under load: 100 take half an hour, and 1,000 six hours.',
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
    asked: '0 requests failed because of Vault while secrets are held',
    groups: ['vault'],
    found: (records) => {
      const of = figure(records, 'vault');
      return of.exists
        ? `${of('minutes')} minutes of outage: ${of('warm.calls')} calls, failed ${of('warm.failed')}. A start without Vault serves ${of('cold.healedAfterSeconds')} s after Vault does.`
        : '';
    },
    note: 'State by state: the tests of V1 to V5.',
  },
  {
    asked: 'one dead adapter: p99 of others within 1.10, 0 errors; 0 of 100,000 actions sent twice',
    groups: ['isolation', 'storm'],
    found: (records) => {
      const of = figure(records, 'isolation');
      const storm = figure(records, 'storm');
      return sentences(
        of.exists &&
          `Beside ${of('stuck')} calls that are stuck, p99 ${of('ratio')} of what it is alone, failed ${of('failed')}.`,
        storm.exists && `Received twice ${storm('receivedTwice')} of ${storm('actions')}.`,
      );
    },
  },
  {
    asked: 'overload of 10: 90 % of the peak, turned away within 5 ms, health within 100 ms',
    groups: ['overload'],
    found: (records) => {
      const of = figure(records, 'overload');
      return of.exists
        ? `Of calls of ${of('heavy.callMs')} ms ${of('heavy.part')} of the peak of ${of('heavy.peak')} a second, health within ${of('heavy.healthP99Ms')} ms, turned away in ${of('heavy.refusedP50Ms')} ms; of calls of ${of('light.callMs')} ms ${of('light.part')} of ${of('light.peak')}, ${of('light.healthP99Ms')} ms, ${of('light.refusedP50Ms')} ms.`
        : '';
    },
    note: 'To turn a call away takes 40 to 110 us of processor, most of it Node.js reading and answering HTTP: nine for each call that is carried are a fifth to a half of one that takes 2 ms, and that is what is missing there. Who is turned away waits for the turn of the loop to end, which is no longer than one call of the heavy kind.',
  },
  {
    asked: 'memory that does not grow over 4,320,000 requests, at most 256 MB; files and sockets as before',
    groups: ['day', 'leak', 'restarts'],
    found: (records) => {
      const day = figure(records, 'day');
      const of = figure(records, 'leak');
      const load = figure(records, 'restarts');
      const change = (name: string): string =>
        `${of(`before.${name}`)} before and ${of(`after.${name}`)} after`;
      return sentences(
        day.exists &&
          `${day('calls')} calls, failed ${day('failed')}: median MB of each quarter ${day('medianMb.first')}, ${day('medianMb.second')}, ${day('medianMb.third')}, ${day('medianMb.last')}, most ${day('mostMb')}; open files ${day('openFiles.atRest')} before and ${day('openFiles.left')} after.`,
        of.exists &&
          `${of('reloads')} reloads: bytes of heap ${change('heap')}, sockets ${change('sockets')}, listeners ${change('listeners')}.`,
        load.exists &&
          `${load('calls')} calls with restarts: the main process has ${load('mainMb.first')} MB in the first round and ${load('mainMb.last')} MB in the last.`,
      );
    },
    note: 'What the heap has more after reloads is mostly log lines and marks, of which so many are kept and no more.',
  },
  {
    asked: 'longest stop of the main loop 50 ms over everything',
    groups: ['stalls', 'bombs', 'yang-bombs'],
    found: (records) => {
      const of = figure(records, 'stalls');
      const schemas = figure(records, 'bombs');
      const yang = figure(records, 'yang-bombs');
      return sentences(
        of.exists && `While forms are kept ${of('longestMs')} ms.`,
        schemas.exists && `While schemas are applied ${schemas('stall.ms')} ms.`,
        yang.exists && `While YANG is compiled ${yang('stall.ms')} ms.`,
      );
    },
  },
  {
    asked: 'each of 8 system calls failing in turn with 5 errors, violations 0',
    groups: ['faults'],
    found: (records) => {
      const of = figure(records, 'faults');
      return of.exists
        ? `${of('runs')} runs with ${of('faults')} faults: ${of('calls')} system calls with ${of('errors')} errors, one in ${of('every')}; acknowledged ${of('acknowledged')}, violations ${of('violations')}.`
        : '';
    },
    note: 'Each run starts gatehouse under strace twice: one in 4 takes a quarter of an hour, and all of them more than an hour.',
  },
  {
    asked: '0 acknowledged changes without a record in 1,000 kill -9; every changed byte found',
    groups: ['audit'],
    found: (records) => {
      const of = figure(records, 'audit');
      return of.exists
        ? `Without a record ${of('without')} of ${of('acknowledged')} in ${of('kills')} kills, the chain whole; of ${of('changed.changes')} changes of one byte ${of('changed.unnoticed')} unnoticed.`
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
    note: 'One run takes a quarter of an hour, and a hundred more than a day.',
  },
  {
    asked:
      'each flood in 1 GiB: health always answered, 95 % of the calls and 90 % of the logins of others meanwhile, all of them 5 s later; single requests stop the main loop 50 ms at most',
    groups: ['floods', 'hostile'],
    found: (records) => {
      const of = figure(records, 'floods');
      const hostile = figure(records, 'hostile');
      return sentences(
        of.exists && `Floods that hold: ${of('holding')} of ${of('measured')}.`,
        typeof records['hostile']?.['stops'] === 'object' &&
          `Longest stop by one of ${hostile('stops.vectors')} hostile replies ${hostile('stops.longestMs')} ms with a limit of ${hostile('stops.mostMs')} ms.`,
      );
    },
    note: 'The limits of time grow with the longest answer that the same run has measured without a flood.',
  },
];
