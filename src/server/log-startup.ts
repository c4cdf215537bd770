import type { LocalIssuer } from '../auth/local-issuer.js';
import type { Log } from '../core/log.js';
import { FULL_VERSION } from '../lib/version.js';
import type { Settings } from '../settings/settings.js';
import { warnOfConfig } from './state/config-warnings.js';
import type { AdapterFactories } from './state/factories.js';
import { warnLiterals } from './state/literal-secrets.js';
import type { ActiveSnapshot } from './state/snapshot.js';
import { warnUnusedRoles } from './state/unused-roles.js';

interface StartupFacts {
  readonly url: string;
  readonly settings: Settings;
  readonly snapshot: ActiveSnapshot;
  readonly factories: AdapterFactories;
  readonly local?: LocalIssuer | undefined;
  readonly log: Log;
}

/** Logs the version, the address and the adapters, and what the operator should do next. */
export function logStartup({ url, settings, snapshot, factories, local, log }: StartupFacts): void {
  const adapters = Object.fromEntries(
    [...snapshot.adapters.values()].map((instance) => [instance.id, instance.state().name]),
  );
  log.info(`gatehouse ${FULL_VERSION} serves ${url}`, { adapters });
  // Identity providers redirect browsers to this origin, so a sign-in that begins at another one fails.
  const publicUrl = settings.server.publicUrl ?? url;
  if (settings.console.enabled) log.info(`open the console in a browser: ${new URL('/ui/', publicUrl).href}`);
  if (settings.mcp.enabled)
    log.info(`agents connect to ${new URL('/mcp', publicUrl).href}`, { actions: settings.mcp.actions });
  if (local?.created) log.info(`created a signing key for local tokens: ${settings.auth.local.keyFile}`);
  const { issuers, local: accounts } = settings.auth;
  if (issuers.length + accounts.users.length + accounts.clients.length === 0) {
    log.info('no token issuer is configured; mint a token with: gatehouse token --role admin');
  }
  if (snapshot.adapters.size === 0) {
    log.info('no adapter is configured; add a file to the folder adapters/ beside the configuration');
  }
  warnUnusedRoles(snapshot.desired, factories, log);
  warnOfConfig(snapshot.desired, log);
  warnLiterals(snapshot.desired.files, log);
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 22)
    log.warn(`Node.js ${process.versions.node} is past its end of life; run 22 or 24 in production`);
}
