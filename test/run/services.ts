import {
  BROWSER,
  findKeycloak,
  HAPROXY,
  KEYCLOAK,
  NETCONFD,
  OPENBAO,
  POSTGRES,
  SHARED_KEYCLOAK,
  SHARED_POSTGRES,
} from '../support/need-list.js';
import { lackOf, type Need } from '../support/needs.js';

/** A program that tiers name in `test/tiers.json`. */
export type ServiceName = 'postgres' | 'browser' | 'haproxy' | 'netconfd' | 'openbao' | 'keycloak';

interface Service {
  readonly need: Need;
  /** Variables that name a server that runs already, which the tests then use. */
  readonly given?: readonly string[];
  /** Starts a server that the tests of all files share. Absent if each file starts its own. */
  readonly start?: () => Promise<RunningService>;
}

interface RunningService {
  /** Environment variables by which the tests find the server. */
  readonly variables: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

// The modules are loaded by the runs that use them.
const SERVICES: Readonly<Record<ServiceName, Service>> = {
  postgres: {
    need: POSTGRES,
    given: ['PG_TEST_URL', SHARED_POSTGRES],
    async start() {
      const { startPostgres } = await import('../support/postgres-server.js');
      const server = await startPostgres();
      return { variables: { [SHARED_POSTGRES]: server.url }, close: () => server.close() };
    },
  },
  browser: {
    need: BROWSER,
    given: ['GATEHOUSE_TEST_BROWSER'],
    async start() {
      const { launchSharedBrowser, SHARED_BROWSER } = await import('../support/browser.js');
      const browser = await launchSharedBrowser();
      return { variables: { [SHARED_BROWSER]: browser.url }, close: () => browser.close() };
    },
  },
  haproxy: { need: HAPROXY },
  netconfd: { need: NETCONFD },
  openbao: { need: OPENBAO },
  keycloak: {
    need: KEYCLOAK,
    given: [SHARED_KEYCLOAK],
    async start() {
      const { KEYCLOAK_PASSWORD, startKeycloak } = await import('../support/keycloak.js');
      const server = await startKeycloak(findKeycloak() ?? '');
      const variables = { [SHARED_KEYCLOAK]: server.url, [KEYCLOAK_PASSWORD]: server.password };
      return { variables, close: () => server.close() };
    },
  },
};

/** Returns the need of a service that this machine does not meet; undefined if the service can run. */
export function lackOfService(name: ServiceName): Need | undefined {
  return lackOf(SERVICES[name].need);
}

/** Servers that are started once for the tests of several files. Test files find them through environment variables. */
interface SharedServices {
  /** Starts the services that can run and do not run yet, and stops the services that are not named. */
  use(names: readonly ServiceName[]): Promise<void>;
}

export function openSharedServices(): SharedServices {
  const running = new Map<ServiceName, RunningService>();
  return {
    async use(names) {
      for (const [name, { variables, close }] of running)
        if (!names.includes(name)) {
          running.delete(name);
          for (const variable of Object.keys(variables)) Reflect.deleteProperty(process.env, variable);
          await close();
        }
      for (const name of names) {
        const { start, given = [] } = SERVICES[name];
        const isGiven = given.some((variable) => process.env[variable] !== undefined);
        if (!start || isGiven || running.has(name) || lackOfService(name)) continue;
        const service = await start();
        running.set(name, service);
        Object.assign(process.env, service.variables);
      }
    },
  };
}
