import type { ComponentFacts, HealthDeps } from '../apps/health/deps.js';
import type { Wish } from '../domain/component.js';
import { valueAt } from '../domain/pointer.js';
import { describeOperations } from '../operations.js';
import type { Current } from '../runtime/current.js';
import type { LiveSnapshot } from '../runtime/live-snapshot.js';
import type { Plugins } from '../runtime/plugins.js';
import { VERSION } from '../version.js';

interface FactsInput {
  readonly current: Current<LiveSnapshot>;
  readonly plugins: Plugins;
  /** True when log lines go to a file too. */
  readonly logsToFile: boolean;
}

/** What adapters and applications are made of, for the reports about them. */
export function componentFacts({
  current,
  plugins,
  logsToFile,
}: FactsInput): Pick<HealthDeps, 'describeAdapters' | 'describeApplication'> {
  const served = servedApplications();
  return {
    describeAdapters() {
      const { desired, logLevel } = current.peek();
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
          logger: levelsOf(level, logsToFile, adapter?.wish.levels),
        };
      };
    },
    describeApplication({ name }) {
      const { desired, logLevel } = current.peek();
      const { configName, paths } = served.get(name) ?? { configName: name, paths: [] };
      const routePrefix = paths[0]?.split('/')[1] ?? '';
      return {
        packageId: configName,
        version: VERSION,
        description: `Serves ${paths.length} operations below /${routePrefix}.`,
        routePrefix,
        logger: levelsOf(logLevel, logsToFile, desired.state.wishes.application.get(name)?.levels),
      };
    },
  };
}

function textAt(value: unknown, pointer: string): string | undefined {
  const found = valueAt(value, pointer);
  return typeof found === 'string' ? found : undefined;
}

/** There is no syslog to write to. */
function levelsOf(level: string, logsToFile: boolean, wished: Wish['levels'] = {}): ComponentFacts['logger'] {
  return {
    console: wished.console ?? level,
    file: logsToFile ? (wished.file ?? level) : 'none',
    syslog: 'none',
  };
}

interface ServedApplication {
  readonly configName: string;
  /** One of each operation. */
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
