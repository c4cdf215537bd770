import { lackOfBrowser, launchSharedBrowser, SHARED_BROWSER } from '../support/browser.js';
import { findKeycloak, KEYCLOAK_PASSWORD, SHARED_KEYCLOAK, startKeycloak } from '../support/keycloak.js';
import { findOpenBao, startOpenBao } from '../support/openbao.js';
import { SHARED_POSTGRES, startPostgres } from '../support/postgres-server.js';
import type { ServiceName } from './tiers.js';

/** Servers that are started once per run. Test files find them through environment variables. */
export interface Services {
  /**
   * Starts the services that do not run yet. Skips services whose program is not installed, and their tests
   * are skipped.
   */
  start(names: readonly ServiceName[]): Promise<void>;
  stop(): Promise<void>;
}

const STARTERS: Readonly<Record<ServiceName, () => Promise<(() => Promise<void>) | undefined>>> = {
  async postgres() {
    if (process.env['PG_TEST_URL'] !== undefined || process.env[SHARED_POSTGRES] !== undefined)
      return undefined;
    const server = await startPostgres();
    if (!server) return undefined;
    process.env[SHARED_POSTGRES] = server.url;
    return () => server.close();
  },
  async browser() {
    if (lackOfBrowser() !== undefined || process.env[SHARED_BROWSER] !== undefined) return undefined;
    const browser = await launchSharedBrowser();
    process.env[SHARED_BROWSER] = browser.url;
    return () => browser.close();
  },
  async openbao() {
    if (process.env['VAULT_TEST_ADDR'] !== undefined) return undefined;
    const server = await startOpenBao();
    process.env['VAULT_TEST_ADDR'] = server.address;
    process.env['VAULT_TEST_TOKEN'] = server.token;
    return () => server.close();
  },
  async keycloak() {
    const home = findKeycloak();
    if (home === undefined || process.env[SHARED_KEYCLOAK] !== undefined) return undefined;
    const server = await startKeycloak(home);
    process.env[SHARED_KEYCLOAK] = server.url;
    process.env[KEYCLOAK_PASSWORD] = server.password;
    return () => server.close();
  },
};

/** Returns true for a service without which the tests of a tier mean nothing, and whose program is not installed. */
export function isLacking(name: ServiceName): boolean {
  if (name === 'keycloak') return process.env[SHARED_KEYCLOAK] === undefined && findKeycloak() === undefined;
  return name === 'openbao' && process.env['VAULT_TEST_ADDR'] === undefined && findOpenBao() === undefined;
}

export function createServices(): Services {
  const stops = new Map<ServiceName, (() => Promise<void>) | undefined>();
  return {
    async start(names) {
      for (const name of names) if (!stops.has(name)) stops.set(name, await STARTERS[name]());
    },
    async stop() {
      for (const stop of stops.values()) await stop?.();
    },
  };
}
