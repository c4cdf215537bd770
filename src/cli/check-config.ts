import { openLocalIssuer } from '../auth/local-issuer.js';
import { asAdapterSettings } from '../config/adapter-schema.js';
import { asSettings } from '../config/settings-schema.js';
import { ConfigError, type Fault } from '../core/fault.js';
import { silentLog } from '../core/log.js';
import type { IssuerFinding } from '../core/login.js';
import { ungrantedRoles } from '../features/access/ungranted-roles.js';
import { OPERATION_ROLES } from '../features/operations.js';
import { type Scheduler, systemClock, systemScheduler } from '../lib/clock.js';
import { type SecretSource, openSecrets, type SecretResolver } from '../secrets/open-secrets.js';
import { createAdapterFactories } from '../server/adapter-factories.js';
import { certificateWarnings } from '../server/certificate-warnings.js';
import { type ConfigLoaderOptions, createConfigLoader } from '../server/config-loader.js';
import { buildMain } from '../server/state/build-main.js';
import { configWarnings } from '../server/state/config-warnings.js';
import {
  type ConfigSection,
  locateFault,
  type Desired,
  type DesiredFiles,
} from '../server/state/configuration.js';
import { literalSecretFaults, refusedLiterals } from '../server/state/literal-secrets.js';
import { type ResolvedSection, resolveSections } from '../server/state/resolve.js';
import type { BuildDeps } from '../server/state/snapshot.js';
import { placeholderSecrets, tryAdapter, withoutPlaceholders } from '../server/state/try-adapter.js';
import { idleRoles } from '../server/state/unused-roles.js';
import { loadSqliteDriver } from '../storage/sqlite-driver.js';
import { createRedactor } from '../telemetry/log/redactor.js';
import { openHttpClient } from '../upstream/client.js';
import { probeAdapters, type ProbedTarget } from './probe-adapters.js';
import type { ProductionRule } from './production/rule.js';
import { ADAPTER_RULES, MAIN_RULES } from './production/rules.js';
import { secretFileFindings } from './secret-file-findings.js';

/** Configuration to check, and how far. */
export interface CheckInput extends ConfigLoaderOptions {
  /** True to also read every secret from its store, whose values are discarded, and to ask every token issuer. */
  readonly probe: boolean;
  /** True to also compare the configuration with the rules for production. */
  readonly production?: boolean;
  /** True to also try the orchestrators of all adapters without a fault. */
  readonly triesAdapters?: boolean;
  /** Loads the driver of SQLite; a test replaces it. */
  readonly loadDriver?: () => unknown;
}

export interface Checked {
  readonly faults: readonly Fault[];
  /** Probable mistakes, secrets in plain text in files, and remarks about issuers and certificates. The configuration works. */
  readonly warnings: readonly Fault[];
  readonly adapters: number;
  /** True if no secret was read, because the credential for Vault is wrapped for the server. */
  readonly isStillWrapped: boolean;
  /** The tried base URLs of adapters; absent if none was tried. */
  readonly probed?: readonly ProbedTarget[];
}

/** Runs the code of a start without opening anything, and returns every fault that it finds. */
export async function checkConfig(input: CheckInput): Promise<Checked> {
  const preparation = await createConfigLoader(input);
  const { desired, faults } = await preparation.readForStart();
  const valid = validSections(desired, faults);
  const secrets = input.probe && valid.main ? openStores(valid.main, input.env) : placeholderSecrets;
  try {
    const clock = { ...systemScheduler, ...input.clock };
    const probed = await tryBuild(valid, { secrets, asksIssuers: input.probe, clock });
    const isStillWrapped = probed.some(({ code }) => code === 'VAULT_STILL_WRAPPED');
    const built = isStillWrapped
      ? await tryBuild(valid, { secrets: placeholderSecrets, asksIssuers: input.probe, clock })
      : probed;
    const ofMain = valid.main
      ? [...(await localKeyFaults(valid.main)), ...driverFaults(valid.main, input.loadDriver)]
      : [];
    const all: readonly Finding[] = [
      ...faults,
      ...built,
      ...ofMain,
      ...(await certificateFindings(valid, clock.now())),
      ...(await secretFileFindings(valid)),
    ];
    const isTried = input.triesAdapters === true && !isStillWrapped;
    const usable = isTried ? validSections(desired, [...faults, ...built]).adapters : [];
    const factories = createAdapterFactories({ clock, log: silentLog });
    const tried = await probeAdapters(usable, { factories, secrets, clock });
    const found: readonly Finding[] = [...all, ...tried.flatMap(findingsOf)];
    // With vault.literals: refuse, they are faults already.
    const literals = refusedLiterals(desired.files).length > 0 ? [] : literalSecretFaults(desired.files);
    const isForProduction = input.production === true && valid.main !== undefined;
    const production = isForProduction ? checkProduction(desired.files) : { faults: [], warnings: [] };
    return {
      faults: [...found.filter(({ isWarning }) => !isWarning), ...production.faults],
      warnings: [
        ...production.warnings,
        ...configWarnings(desired.files),
        ...(valid.main ? [...idleRoles(desired, OPERATION_ROLES), ...ungrantedRoles(desired.files)] : []),
        ...found.filter(({ isWarning }) => isWarning),
        ...literals,
      ],
      adapters: desired.adapters.length,
      isStillWrapped,
      probed: tried,
    };
  } finally {
    await secrets.close();
  }
}

function findingsOf({ failures, remarks }: ProbedTarget): readonly Finding[] {
  return [...failures, ...remarks.map((remark) => ({ ...remark, isWarning: true }))];
}

/** Sections without a fault so far. Building the other sections would only repeat their faults. */
interface ValidSection extends Pick<Desired, 'adapters'> {
  readonly main?: ConfigSection;
  readonly desired: Desired;
}

function validSections(desired: Desired, faults: readonly Fault[]): ValidSection {
  const isValid = ({ written }: ConfigSection, inside: (pointer: string) => boolean): boolean =>
    !faults.some(({ file, pointer }) => file === written.document.file && inside(pointer));
  const isMainValid = isValid(desired.main, (pointer) => !pointer.startsWith('/adapters/'));
  const adapters = desired.adapters.filter((section) =>
    isValid(section, (pointer) => `${pointer}/`.startsWith(`${section.written.at}/`)),
  );
  return { ...(isMainValid && { main: desired.main }), adapters, desired };
}

function openStores({ written }: ConfigSection, env: CheckInput['env']): SecretSource {
  return openSecrets(asSettings(written.value), {
    openHttpClient,
    env,
    scheduler: systemScheduler,
    log: silentLog,
    keepsCredentials: true,
  });
}

/** A fault, or a remark about an issuer. */
type Finding = Fault & Pick<IssuerFinding, 'isWarning'>;

interface BuildTrial {
  readonly secrets: SecretResolver;
  readonly asksIssuers: boolean;
  readonly clock: Scheduler;
}

async function tryBuild(
  { main, adapters, desired }: ValidSection,
  { secrets, asksIssuers, clock }: BuildTrial,
): Promise<readonly Finding[]> {
  const resolved = await resolveSections([...(main ? [main] : []), ...adapters], secrets);
  // The faults already contain what the log would report.
  const factories = createAdapterFactories({ clock, log: silentLog });
  const deps = { factories, log: silentLog, clock };
  const isPlaceholder = secrets === placeholderSecrets;
  const found = await Promise.all([
    ...(main
      ? [
          trySection(main, resolved(main), {
            isPlaceholder,
            build: () => tryMain(desired, resolved(main), { deps, asksIssuers, triesClient: !isPlaceholder }),
          }),
        ]
      : []),
    ...adapters.map((section) =>
      trySection(section, resolved(section), {
        isPlaceholder,
        build: () =>
          tryAdapter({ ...section, resolved: resolved(section) }, { ...deps, redactor: createRedactor() }),
      }),
    ),
  ]);
  return found.flat();
}

async function trySection(
  section: ConfigSection,
  { failures }: ResolvedSection,
  {
    build,
    isPlaceholder,
  }: { readonly build: () => Promise<readonly Finding[]>; readonly isPlaceholder: boolean },
): Promise<readonly Finding[]> {
  const found =
    failures.length === 0 ? await build() : failures.map((failure) => locateFault(section.written, failure));
  return isPlaceholder ? withoutPlaceholders(section, found) : found;
}

interface MainTrial {
  readonly deps: BuildDeps;
  readonly asksIssuers: boolean;
  /** False if the secrets of the clients are placeholders. */
  readonly triesClient: boolean;
}

async function tryMain(
  desired: Desired,
  resolved: ResolvedSection,
  { deps, asksIssuers, triesClient }: MainTrial,
): Promise<readonly Finding[]> {
  const built = await buildMain(desired, resolved, deps);
  if ('faults' in built) return built.faults;
  const { verifier } = built.value;
  try {
    const checks = asksIssuers ? verifier.issuerChecks : [];
    const findings = await Promise.all(checks.map((check) => check.run({ triesClient })));
    return findings.flat().map(({ isWarning, ...fault }) => ({
      ...locateFault(desired.main.written, { ...fault, pointer: `/auth${fault.pointer}` }),
      ...(isWarning && { isWarning }),
    }));
  } finally {
    await verifier.close();
  }
}

async function certificateFindings(
  { main, adapters }: ValidSection,
  now: number,
): Promise<readonly Finding[]> {
  const sections = [...(main ? [main] : []), ...adapters];
  const resolved = await resolveSections(sections, placeholderSecrets);
  const found = await Promise.all(
    sections.map((section) => certificateWarnings(section, resolved(section), now)),
  );
  return found.flat().map((fault) => ({ ...fault, isWarning: true }));
}

/** Returns a fault if the store is a SQLite file and its driver cannot be loaded. */
function driverFaults({ written }: ConfigSection, load: () => unknown = loadSqliteDriver): readonly Fault[] {
  if (!asSettings(written.value).storage.url.startsWith('sqlite:')) return [];
  try {
    load();
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [message = '', fix = ''] = error.message.split(/(?<=\.) /);
    return [locateFault(written, { pointer: '/storage/url', code: 'sqlite_driver', message, fix })];
  }
}

/**
 * Returns the faults of the signing key. A missing key is not a fault, because the first start creates it.
 */
async function localKeyFaults({ written }: ConfigSection): Promise<readonly Fault[]> {
  const { enabled, keyFile, tokenTtlSeconds } = asSettings(written.value).auth.local;
  if (!enabled) return [];
  try {
    await openLocalIssuer({ keyFile, tokenTtlSeconds, clock: systemClock, createKey: false });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.filter(({ code }) => code !== 'local_key_missing');
  }
}

/** What a configuration lacks for production. */
interface ProductionFindings {
  /** Settings that lose or disclose credentials, records or calls. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

/**
 * Compares a configuration without faults with the rules for production. The rules look at the files as they are
 * written: a value that is a reference to a secret breaks none.
 */
function checkProduction({ main, adapters }: DesiredFiles): ProductionFindings {
  const used = adapters.filter(({ pluginFault }) => pluginFault === undefined);
  const settings = used.map(({ written }) => asAdapterSettings(written.value));
  const findings = [
    ...MAIN_RULES.flatMap((rule) =>
      located(main, rule, rule.broken(asSettings(main.written.value), settings)),
    ),
    ...used.flatMap((section) =>
      ADAPTER_RULES.flatMap((rule) =>
        located(section, rule, rule.broken(asAdapterSettings(section.written.value), [])),
      ),
    ),
  ];
  const of = (isFault: boolean): readonly Fault[] =>
    findings.filter((finding) => finding.isFault === isFault).map(({ fault }) => fault);
  return { faults: of(true), warnings: of(false) };
}

function located(
  { written }: ConfigSection,
  { message, fix, isFault }: ProductionRule<never>,
  pointers: readonly string[],
): readonly { readonly isFault: boolean; readonly fault: Fault }[] {
  return pointers.map((pointer) => ({
    isFault,
    fault: locateFault(written, { pointer, code: 'production', message, fix }),
  }));
}
