import { createHash } from 'node:crypto';
import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import type { ComponentOverrides, Transport } from '../../core/component.js';
import type { DescribedOperation } from '../../core/operation.js';
import { valueAt } from '../../json/pointer.js';
import { VERSION } from '../../lib/version.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { stopReasonOf } from '../lib/stop-reason.js';
import type { ComponentFacts, HealthDeps } from './deps.js';

interface ComponentFactsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly versionOf: (adapter: AdapterConfig) => string;
  readonly outputs: ReadonlySet<Transport>;
  readonly operations: readonly DescribedOperation[];
}

/** Returns static facts about adapters and applications for the health reports. */
export function componentFacts({
  current,
  versionOf,
  outputs,
  operations,
}: ComponentFactsInput): Pick<HealthDeps, 'describeAdapters' | 'describeApplication'> {
  const served = servedApplications(operations);
  return {
    describeAdapters() {
      const { desired, logLevel } = current.current();
      const adapters = new Map(desired.adapters.map((adapter) => [adapter.id, adapter]));
      return ({ id, type }) => {
        const adapter = adapters.get(id);
        const configured = adapter?.written.value;
        const packageId = packageIdOf(adapter) ?? type;
        const level = stringAt(configured, '/log/level') ?? logLevel;
        const stopReason = adapter && stopReasonOf(adapter, desired.state);
        return {
          packageId,
          version: adapter ? versionOf(adapter) : VERSION,
          ...(stopReason !== undefined && { stopReason }),
          description: adapter?.plugin.summary ?? `Adapter of the plugin ${type}.`,
          routePrefix: id,
          logger: levelsOf(level, outputs, adapter?.overrides.levels),
        };
      };
    },
    describeApplication({ name }) {
      const { desired, logLevel } = current.current();
      const { configName, paths } = served.get(name) ?? { configName: name, paths: [] };
      const routePrefix = paths[0]?.split('/')[1] ?? '';
      return {
        packageId: configName,
        version: VERSION,
        description: `Serves ${paths.length} ${paths.length === 1 ? 'operation' : 'operations'} below /${routePrefix}.`,
        routePrefix,
        logger: levelsOf(logLevel, outputs, desired.state.overrides.application.get(name)?.levels),
      };
    },
  };
}

/** Returns the model of a registered adapter, or the plugin of an adapter in a file. */
function packageIdOf(adapter: AdapterConfig | undefined): string | undefined {
  return stringAt(adapter?.record?.document, '/model') ?? stringAt(adapter?.written.value, '/plugin');
}

function stringAt(value: unknown, pointer: string): string | undefined {
  const found = valueAt(value, pointer);
  return typeof found === 'string' ? found : undefined;
}

function levelsOf(
  level: string,
  outputs: ReadonlySet<Transport>,
  overrideLevels: ComponentOverrides['levels'] = {},
): ComponentFacts['logger'] {
  const levelOf = (output: Transport): string =>
    outputs.has(output) ? (overrideLevels[output] ?? level) : 'none';
  return { console: levelOf('console'), file: levelOf('file'), syslog: levelOf('syslog') };
}

interface ServedApplication {
  readonly configName: string;
  /** One path of each operation. */
  readonly paths: readonly string[];
}

function servedApplications(
  operations: readonly DescribedOperation[],
): ReadonlyMap<string, ServedApplication> {
  const served = new Map<string, ServedApplication>();
  for (const { component, name, paths } of operations) {
    if (component === undefined) continue;
    // The first application of a component names it: `tasks` is part of JsonForms.
    const [ownName = ''] = name.split('.', 1);
    const configName = served.get(component)?.configName ?? ownName;
    served.set(component, {
      configName,
      paths: [...(served.get(component)?.paths ?? []), ...paths.slice(0, 1)],
    });
  }
  return served;
}

/** Returns the current memory of this process in bytes and its processor time in microseconds. */
export function processUsage() {
  return { memoryUsage: process.memoryUsage(), cpuUsage: process.cpuUsage(), pid: process.pid };
}

/** Components of Node.js that clients require, but that newer releases do not include (wire section 6.3). */
const REMOVED_COMPONENTS = { ada: '', ares: '', cjs_module_lexer: '', simdutf: '' };

/** Returns the runtime of this process; a missing component has the version ''. */
export function runtimeFacts() {
  const { arch, platform, versions } = process;
  return { arch, platform, versions: { ...REMOVED_COMPONENTS, ...versions } };
}

/** Returns the machine as Node.js reports it: uptime in seconds, memory in bytes. */
export function machineFacts() {
  return {
    arch: arch(),
    release: release(),
    uptime: uptime(),
    freemem: freemem(),
    totalmem: totalmem(),
    loadavg: loadavg(),
    cpus: cpus(),
  };
}

/** Returns the 64 hexadecimal digits that identify an installation by its host and its database. */
export function serverIdOf(host: string, storageUrl: string): string {
  return createHash('sha256').update(host).update(withoutCredentials(storageUrl)).digest('hex');
}

/**
 * Removes passwords (`user:password@`, `?password=`) from a URL. The digest is public and must not allow an
 * attacker to test passwords.
 */
function withoutCredentials(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/[^/]*@/, '//');
}
