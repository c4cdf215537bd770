import { availableParallelism } from 'node:os';
import type { AuditTrail } from '../domain/audit-trail.js';
import type { ServerSettings } from '../domain/settings.js';
import type { KeptCurrent } from '../keep-current.js';
import type { Rooms } from '../runtime/rooms.js';
import type { SecretSource } from '../secrets/resolve.js';
import { rememberResolved, type ResolvedLast } from './configuration.js';
import { createNews, type News } from './news.js';
import { partOf } from './places.js';
import { createRoster, type Roster } from './roster.js';
import { createStandings, type Standings } from './standings.js';

/** What the main process does otherwise from its start on when there are to be workers. */
export interface WorkerBasis {
  /** Workers; none where one process serves alone. */
  readonly count: number;
  /** Among which the places of adapters are divided: the workers, and the main process. */
  readonly processes: number;
  readonly resolved: ResolvedLast;
  readonly standings: Standings;
  readonly roster: Roster;
  readonly news: News;
  /** The same source, whose values workers will be told. */
  readonly secrets: SecretSource;
  /** Rooms whose adapters have a part of their places, and tell of all processes together. */
  readonly rooms: (rooms: Rooms) => Rooms;
  /** A trail that tells workers when it lost a record. */
  readonly audit: (audit: AuditTrail) => AuditTrail;
  /** A change is done when the workers have taken it up. */
  readonly reloading: <T extends Pick<KeptCurrent, 'reload' | 'takeUpRecords'>>(reloading: T) => T;
}

/** Makes the basis for as many workers as the settings ask for; without any, all stays as it is. */
export function prepareWorkers(
  { workers }: Pick<ServerSettings, 'workers'>,
  source: SecretSource,
): WorkerBasis {
  const wanted = workers === 'auto' ? availableParallelism() : workers;
  return wanted > 1 ? basisFor(wanted, source) : aloneWith(source);
}

function aloneWith(secrets: SecretSource): WorkerBasis {
  const same = <T>(value: T): T => value;
  const resolved = { ...secrets, valuesOf: () => [], keepOnly: () => undefined };
  const parts = { resolved, standings: createStandings(), roster: createRoster(0), news: createNews() };
  return { count: 0, processes: 1, ...parts, secrets, rooms: same, audit: same, reloading: same };
}

function basisFor(count: number, source: SecretSource): WorkerBasis {
  const processes = count + 1;
  const resolved = rememberResolved(source);
  const standings = createStandings();
  const news = createNews();
  const heard = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    await news.heardOf();
    return done;
  };
  return {
    ...{ count, processes, resolved, standings, news, roster: createRoster(count) },
    secrets: { ...source, resolve: resolved.resolve },
    rooms: (rooms) => ({
      ...rooms,
      openUpstream: (settings, log) => rooms.openUpstream(partOf(settings, processes), log),
      overall: standings.overall,
    }),
    audit: (audit) => ({
      ...audit,
      append: async (record) => {
        try {
          await audit.append(record);
        } catch (error) {
          news.doubt();
          throw error;
        }
      },
    }),
    reloading: (reloading) => ({
      ...reloading,
      reload: () => heard(reloading.reload()),
      takeUpRecords: () => heard(reloading.takeUpRecords()),
    }),
  };
}
