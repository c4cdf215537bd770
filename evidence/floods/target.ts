import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cheapHash } from '../../test/support/password-hash.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { startReadyOrchestrator } from '../ready-orchestrator.js';
import { SHIPPED_COMMAND, startServerProcess, UNBOUNDED_COMMAND } from '../server-process.js';
import { prepareTurnProbe } from '../stalls/longest-turn.js';
import { type LimitSettings, liftedLimits } from './lifted-limits.js';
import { limitMemory } from './memory-limit.js';

/** The memory limit of the chart and of the compose file. */
export const MEMORY_MB = 1_024;
const MB = 1_048_576;
const MEMORY_INTERVAL_MS = 100;

/** A user (admin), and a client (engineering). */
export const USER = { name: 'ada', password: 'pw-2f7c-of-ada' };
export const CLIENT = { name: 'robo', password: 's3cret-7a7a-of-robo' };

/** Bytes of memory of a process, in megabytes. */
interface MemoryFigures {
  readonly restMb: number;
  readonly peakMb: number;
  readonly leftMb: number;
}

/** gatehouse as it is shipped, in a process with limited memory, with one adapter `light`. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly folder: string;
  readonly adminToken: string;
  readonly engineerToken: string;
  readonly limitedBy: string;
  /** False as soon as the process has ended. */
  readonly isAlive: () => boolean;
  /** Returns the number of records in the audit trail. */
  readonly auditRecords: () => number;
  /** Resolves to the longest processor time of one turn of the event loop since the last call, in milliseconds. */
  readonly longestTurnMs: () => Promise<number>;
  /** Returns the open files and connections of the process; 0 after its end. */
  readonly openFiles: () => number;
  /** Returns the resident memory before the flood, its peak, and at present. */
  readonly memory: () => MemoryFigures;
  /** Stops the server; resolves to how it ended: its exit code or the signal. */
  readonly stop: () => Promise<string>;
}

export interface TargetOptions {
  /** True lifts the limits of the configuration, and the memory for replies. */
  readonly isLifted: boolean;
  /** Base URL of the adapter; by default, an orchestrator on loopback that answers at once. */
  readonly baseUrl?: string;
  /** Members of `egress`. */
  readonly egress?: Readonly<Record<string, unknown>>;
  /** Members of `auth`, other sections, and keys of the adapter, as YAML. */
  readonly auth?: string;
  readonly sections?: string;
  readonly adapter?: string;
  /** YAML of further adapters by their names. */
  readonly adapters?: Readonly<Record<string, string>>;
}

const NONE_LIFTED: LimitSettings = { server: {}, local: {}, audit: {}, sections: {} };

/** Starts gatehouse for one flood. Orchestrators of restCall may be on loopback. */
export async function startTarget(options: TargetOptions): Promise<Target> {
  const { isLifted, auth = '', sections = '', adapter = '' } = options;
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const orchestrator = await startReadyOrchestrator();
  const lifted = isLifted ? liftedLimits() : NONE_LIFTED;
  const egress = { ...lifted.sections['egress'], allow: ['127.0.0.0/8'], ...options.egress };
  const limit = limitMemory(MEMORY_MB * MB);
  const probe = prepareTurnProbe(folder);
  const server = await startServerProcess(
    {
      folder,
      auth,
      server: membersOf({ drainSeconds: 5, ...lifted.server }),
      local: membersOf({ ...ACCOUNTS, ...lifted.local }),
      audit: membersOf(lifted.audit),
      sections: [...Object.entries({ ...lifted.sections, egress }).map(sectionOf), sections].join('\n'),
      adapters: {
        light: `plugin: http-rest\nbaseUrl: ${options.baseUrl ?? orchestrator.url}\n${adapter}`,
        ...options.adapters,
      },
    },
    limit.command,
    [...probe.options, ...(isLifted ? UNBOUNDED_COMMAND : SHIPPED_COMMAND)],
  ).catch(async (error: unknown) => {
    orchestrator.close();
    await limit.remove();
    throw error;
  });
  const { child } = server;
  const pid = child.pid ?? 0;
  const watch = watchMemory(pid);
  return {
    url: server.url,
    port: Number(new URL(server.url).port),
    pid,
    folder,
    adminToken: server.issueToken('admin'),
    engineerToken: server.issueToken('engineering'),
    limitedBy: limit.by,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    longestTurnMs: probe.longestMs,
    auditRecords: () => linesOf(join(folder, 'data', 'audit.log')),
    openFiles: () => filesOf(pid),
    memory: () => watch.figures(),
    async stop() {
      await server.stop();
      watch.stop();
      orchestrator.close();
      await limit.remove();
      temporary.remove();
      return child.signalCode ?? String(child.exitCode);
    },
  };
}

const ACCOUNTS = {
  users: [{ username: USER.name, passwordHash: cheapHash(USER.password), roles: ['admin'] }],
  clients: [{ clientId: CLIENT.name, clientSecretHash: cheapHash(CLIENT.password), roles: ['engineering'] }],
};

/** Returns the members of an object as YAML, without its braces. */
function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

function sectionOf([name, value]: readonly [string, unknown]): string {
  return `${name}: ${JSON.stringify(value)}`;
}

function watchMemory(pid: number): { readonly figures: () => MemoryFigures; readonly stop: () => void } {
  let [peakMb, leftMb] = [0, 0];
  const look = (): void => {
    const { peak, now } = memoryOf(pid);
    peakMb = Math.max(peakMb, peak);
    leftMb = now;
  };
  look();
  const restMb = leftMb;
  const timer = setInterval(look, MEMORY_INTERVAL_MS);
  return {
    figures() {
      look();
      return { restMb, peakMb, leftMb };
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}

function memoryOf(pid: number): { readonly peak: number; readonly now: number } {
  const text = tryRead(`/proc/${pid}/status`);
  const read = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? '0') / 1_024);
  return { peak: read('VmHWM'), now: read('VmRSS') };
}

function filesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function linesOf(file: string): number {
  return tryRead(file).split('\n').length - 1;
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
