import type { ComponentFacts, HealthDeps } from '../health/deps.js';
import type { Transport, ComponentOverrides } from '../../core/component.js';
import { valueAt } from '../../core/pointer.js';
import { describeOperations } from '../index.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { Plugins } from '../../adapters/plugins.js';
import { VERSION } from '../../server/version.js';

interface FactsInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly plugins: Plugins;
  /** Active log outputs. */
  readonly outputs: ReadonlySet<Transport>;
}

/** Returns static facts about adapters and applications for the health reports. */
export function componentFacts({
  current,
  plugins,
  outputs,
}: FactsInput): Pick<HealthDeps, 'describeAdapters' | 'describeApplication'> {
  const served = servedApplications();
  return {
    describeAdapters() {
      const { desired, logLevel } = current.current();
      const adapters = new Map(desired.adapters.map((one) => [one.id, one]));
      return ({ id, type }) => {
        const adapter = adapters.get(id);
        const written = adapter?.written.value;
        const packageId = textAt(adapter?.record?.document, '/model') ?? textAt(written, '/plugin') ?? type;
        const level = textAt(written, '/log/level') ?? logLevel;
        return {
          packageId,
          version: plugins.versionOf(packageId) ?? VERSION,
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
        description: `Serves ${paths.length} operations below /${routePrefix}.`,
        routePrefix,
        logger: levelsOf(logLevel, outputs, desired.state.overrides.application.get(name)?.levels),
      };
    },
  };
}

function textAt(value: unknown, pointer: string): string | undefined {
  const found = valueAt(value, pointer);
  return typeof found === 'string' ? found : undefined;
}

function levelsOf(
  level: string,
  outputs: ReadonlySet<Transport>,
  wished: ComponentOverrides['levels'] = {},
): ComponentFacts['logger'] {
  const levelOf = (output: Transport): string => (outputs.has(output) ? (wished[output] ?? level) : 'none');
  return { console: levelOf('console'), file: levelOf('file'), syslog: levelOf('syslog') };
}

interface ServedApplication {
  readonly configName: string;
  /** One path of each operation. */
  readonly paths: readonly string[];
}

function servedApplications(): ReadonlyMap<string, ServedApplication> {
  const served = new Map<string, ServedApplication>();
  for (const { component, name, paths } of describeOperations()) {
    if (component === undefined) continue;
    const [configName = ''] = name.split('.', 1);
    served.set(component, {
      configName,
      paths: [...(served.get(component)?.paths ?? []), ...paths.slice(0, 1)],
    });
  }
  return served;
}
