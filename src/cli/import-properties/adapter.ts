import { indicatesSecret } from '../../config/profile-secrets.js';
import { isAdapterId } from '../../core/adapter-names.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { isEncrypted } from '../../secrets/reference.js';
import { type ImportReport, looksSecret, type Reason } from './import-report.js';
import { loginOf } from './login.js';
import { addressOf, type Keys, levelOf, type Machine, policiesOf, proxyOf, tlsOf } from './policies.js';
import {
  ADAPTER_BLOCK_REASONS,
  LOGIN_IN_CODE,
  SERVICE_CONFIG_REASONS,
  SERVICE_LOG_SETTING,
  SERVICE_SETTING,
  UNKNOWN_MEMBER,
} from './skipped.js';
import { at, itemsOf, membersOf, type SourceLocation } from './source-location.js';

/** File of the folder `adapters/`. */
export interface AdapterFile {
  readonly id: string;
  readonly value: Keys;
}

/** Installed adapter of the public catalog. */
export interface Installed {
  /** Folder of the adapter, as the adapter file refers to it. */
  readonly folder: string;
  /** Pointers into the adapter's settings that its decorators mark as secret. */
  readonly secrets: readonly string[];
}

interface AdapterDeps {
  readonly report: ImportReport;
  readonly machine: Machine;
  readonly installed: (model: string) => Installed | undefined;
  /** Folders that `installed` searches, as a sentence; undefined if the adapters of the catalog are not wanted. */
  readonly searched: string | undefined;
  /** Names of the adapters that run, if the profile names any. */
  readonly services: ReadonlySet<string> | undefined;
}

/**
 * Converts a service config into an adapter file. Returns undefined and records the reason if it cannot be
 * converted.
 */
export function convertAdapter(
  location: SourceLocation,
  known: ReadonlySet<string>,
  deps: AdapterDeps,
): AdapterFile | undefined {
  const { report } = deps;
  const service = readRecord(location);
  recordReasons(service, report);
  const id = typeof service.name.value === 'string' ? service.name.value : '';
  const refusal = refusalOf(service, id, known);
  const address = refusal ? undefined : addressOf(service.own, report);
  if (!address) {
    report.skip(location, refusal ?? SERVICE_CONFIG_REASONS.address);
    dropReasons(service, report);
    return undefined;
  }
  useIdentity(service, id, report);
  const { model } = service;
  const installed = typeof model.value === 'string' ? deps.installed(model.value) : undefined;
  if (!installed && deps.searched !== undefined && typeof model.value === 'string')
    report.tasks.push(
      `adapters/${id}.yaml: the adapter "${model.value}" is not installed (${deps.searched}). The plugin is ${pluginOf(service)}: install the adapter and repeat the import, or keep this plugin.`,
    );
  const value = {
    plugin: installed ? 'itential-adapter' : pluginOf(service),
    baseUrl: address.url,
    ...(installed
      ? communityKeys(service, id, { installed, report })
      : nativeKeys(service, id, { ...deps, address })),
    ...commonKeys(service, report),
    ...enabledOf(id, deps),
  };
  return { id, value };
}

/** Marks the values that the file name and the plugin already express as used. */
function useIdentity({ config, name, type, model }: AdapterRecord, id: string, report: ImportReport): void {
  for (const one of [name, at(config, 'id'), at(config, 'properties', 'id')])
    if (one.value === id) report.use(one);
  for (const one of [type, model, at(config, 'type'), at(config, 'isEncrypted'), at(config, 'virtual')])
    report.use(one);
}

/** Disables the adapter if the profile does not name it as a service. */
function enabledOf(id: string, { services, report }: AdapterDeps): Keys {
  if (services === undefined || services.has(id)) return {};
  report.tasks.push(
    `adapters/${id}.yaml: the adapter is disabled, because the services of the profile do not name it.`,
  );
  return { enabled: false };
}

/** Records why values that are not imported are left out. */
function recordReasons({ config, own }: AdapterRecord, report: ImportReport): void {
  report.skip(config, SERVICE_SETTING);
  report.skip(at(config, 'loggerProps'), SERVICE_LOG_SETTING);
  for (const [name, reason] of ADAPTER_BLOCK_REASONS) report.skip(at(own, name), reason);
  report.skip(own, {
    why: 'The plugin has no such option.',
    instead: 'Run the adapter unmodified, with --community, if a client depends on it.',
  });
}

/** Drops the reasons of nested values, so that a service config that is left out has a single reason. */
function dropReasons({ config, own }: AdapterRecord, report: ImportReport): void {
  for (const location of [
    own,
    at(config, 'loggerProps'),
    ...[...ADAPTER_BLOCK_REASONS.keys()].map((name) => at(own, name)),
  ])
    report.dropReason(location);
}

function refusalOf(service: AdapterRecord, id: string, known: ReadonlySet<string>): Reason | undefined {
  const kinds = kindOfRecord(service);
  if (at(service.config, 'type').value === 'Application') return SERVICE_CONFIG_REASONS.application;
  if (at(service.config, 'virtual').value === true) return SERVICE_CONFIG_REASONS.integration;
  if (/_aaa\b|\bldap\b|\bradius\b|adapter-(?:ldap|radius)/.test(kinds)) return SERVICE_CONFIG_REASONS.people;
  if (/\bemail\b/.test(kinds)) return SERVICE_CONFIG_REASONS.mail;
  if (!isAdapterId(id) || looksSecret(id)) return SERVICE_CONFIG_REASONS.name;
  return known.has(id.toLowerCase()) ? SERVICE_CONFIG_REASONS.twin : undefined;
}

/** Returns the plugin of an adapter. NSO uses RESTCONF. */
function pluginOf(service: AdapterRecord): string {
  return /\bnso\b|adapter-nso$/.test(kindOfRecord(service)) ? 'restconf' : 'http-rest';
}

interface Native extends AdapterDeps {
  readonly address: { readonly url: string; readonly path: string };
}

function nativeKeys(service: AdapterRecord, id: string, { report, machine, address }: Native): Keys {
  const { own } = service;
  const auth = loginOf({ id, own, address, report });
  if (!auth) reportLogin(at(own, 'authentication'), id, report);
  return {
    ...(auth && { auth }),
    ...tlsOf({ id, ssl: at(own, 'ssl'), report, machine }),
    ...proxyOf(at(own, 'proxy'), report),
    ...policiesOf(own, report),
    ...(pluginOf(service) === 'http-rest' &&
      headersOf(at(own, 'request', 'global_request', 'addlHeaders'), id, report)),
    ...(report.flag(at(own, 'stub')) && { stub: true }),
    ...(!auth && { enabled: false }),
  };
}

/**
 * Reports a login that the operator must write. Its secrets move to Vault, and the adapter stays disabled
 * until then.
 */
function reportLogin(authentication: SourceLocation, id: string, report: ImportReport): void {
  report.skip(authentication, LOGIN_IN_CODE);
  report.tasks.push(
    `adapters/${id}.yaml: the login is defined by the code of the adapter, not by its settings. The adapter is disabled: write auth (docs/how-to/log-in-to-an-orchestrator.md) and remove enabled, or run the adapter unmodified, with --community.`,
  );
  for (const { name, pointer, value } of membersOf(authentication))
    if (typeof value === 'string' && indicatesSecret(pointer, value))
      report.secret({ pointer, value }, { adapter: id, pointer: `/auth/${name}` });
}

const REFUSED_HEADERS =
  /^(?:authorization|cookie|host|accept|content-(?:type|length)|expect|forwarded|x-forwarded-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Returns the headers of every request. All values move to Vault, because they may be API keys. */
function headersOf(headers: SourceLocation, id: string, report: ImportReport): Keys {
  const references = membersOf(headers)
    .filter(
      ({ name, value }) =>
        /^[A-Za-z][\w-]{0,63}$/.test(name) && !REFUSED_HEADERS.test(name) && typeof value === 'string',
    )
    .slice(0, 32)
    .map(
      ({ name, ...location }) =>
        [name, report.secret(location, { adapter: id, pointer: `/options/headers/${name}` })] as const,
    )
    .filter(([, value]) => value !== undefined);
  return references.length === 0 ? {} : { options: { headers: Object.fromEntries(references) } };
}

function communityKeys(
  { own }: AdapterRecord,
  id: string,
  { installed, report }: { readonly installed: Installed; readonly report: ImportReport },
): Keys {
  report.skip(own, UNKNOWN_MEMBER);
  const secrets = new Set(installed.secrets.map((pointer) => own.pointer + pointer));
  const written = ({ pointer, value }: SourceLocation): unknown => {
    const location = { pointer, value };
    if (typeof value === 'string') {
      const migrant = { adapter: id, pointer: `/options/properties${pointer.slice(own.pointer.length)}` };
      const text = secrets.has(pointer) ? report.secret(location, migrant) : report.text(location, migrant);
      return text ?? '';
    }
    if (Array.isArray(value)) return itemsOf(location).map(written);
    if (typeof value === 'object' && value !== null) {
      const members = membersOf(location).filter(({ name }) => name !== '__proto__' && !isEncrypted(name));
      return Object.fromEntries(members.map(({ name, ...member }) => [name, written(member)]));
    }
    report.use(location);
    return value;
  };
  return {
    options: { folder: installed.folder, properties: withoutRetries(written(own), id, { own, report }) },
  };
}

/** Returns the settings of an adapter without retries, because its library repeats requests of any method. */
function withoutRetries(
  properties: unknown,
  id: string,
  { own, report }: { readonly own: SourceLocation; readonly report: ImportReport },
): unknown {
  const request = valueAt(properties, '/request');
  const { value: retries } = at(own, 'request', 'number_retries');
  if (typeof retries === 'number' && retries > 0)
    report.tasks.push(
      `adapters/${id}.yaml: request.number_retries is 0 in place of ${retries}, because the adapter repeats actions as well. Set it to ${retries} if the orchestrator takes an action twice without harm.`,
    );
  return {
    ...(properties as object),
    request: { ...(isJsonObject(request) ? request : {}), number_retries: 0 },
  };
}

function commonKeys({ config, brokers, groups }: AdapterRecord, report: ImportReport): Keys {
  const level = levelOf(at(config, 'loggerProps'), report);
  const lists = Object.entries({ brokers, groups }).flatMap(([key, location]) => {
    const words = itemsOf(location).flatMap((item) => report.string(item, /^[\w@. -]{1,64}$/) ?? []);
    return words.length === 0 ? [] : [[key, words] as const];
  });
  return { ...Object.fromEntries(lists), ...(level !== undefined && { log: { level } }) };
}

/** Service config of an adapter, in either form. */
interface AdapterRecord {
  readonly config: SourceLocation;
  readonly name: SourceLocation;
  readonly model: SourceLocation;
  /** Kind of the adapter, in the platform's terms. */
  readonly type: SourceLocation;
  readonly brokers: SourceLocation;
  readonly groups: SourceLocation;
  readonly own: SourceLocation;
}

/**
 * Reads both forms of a service config. The record of the API has the adapter's settings in
 * `properties.properties`; a properties file has them in `properties`.
 */
export function readRecord(config: SourceLocation): AdapterRecord {
  const properties = at(config, 'properties');
  const isRecord = isJsonObject(at(properties, 'properties').value);
  const outer = isRecord ? properties : config;
  const named = ['name', 'id'].map((key) => at(config, key));
  return {
    config,
    name: [...named, at(outer, 'id')].find(({ value }) => typeof value === 'string') ?? at(config, 'id'),
    model: at(config, 'model'),
    type: at(outer, 'type'),
    brokers: at(outer, 'brokers'),
    groups: at(outer, 'groups'),
    own: isRecord ? at(properties, 'properties') : properties,
  };
}

/** Returns the model and type of an adapter in lower case. */
function kindOfRecord({ model, type }: AdapterRecord): string {
  return [model.value, type.value]
    .filter((one) => typeof one === 'string')
    .join(' ')
    .toLowerCase();
}
