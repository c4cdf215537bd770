import { isAdapterId } from '../../core/adapter-document.js';
import { tellsSecret } from '../../config/profile-secrets.js';
import { isEncrypted } from '../../vault/reference.js';
import { addressOf, type Keys, levelOf, type Machine, policiesOf, proxyOf, tlsOf } from './policies.js';
import { ADAPTER_BLOCKS, LOGIN, NAME, SERVICE, SERVICE_LOG, WHOLE } from './skipped.js';
import { type ImportReport, looksSecret, type Reason } from './import-report.js';
import { loginOf } from './login.js';
import { at, itemsOf, membersOf, type SourceLocation } from './source-location.js';
import { isJsonObject } from '../../core/json-object.js';

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

export interface AdapterDeps {
  readonly ledger: ImportReport;
  readonly machine: Machine;
  /** Returns the installed adapter with a package name. */
  readonly installed: (model: string) => Installed | undefined;
  /** Names of the adapters that run, if the profile names any. */
  readonly services: ReadonlySet<string> | undefined;
}

/**
 * Converts a service config into an adapter file. Returns undefined and records the reason if it cannot be
 * converted.
 */
export function convertAdapter(
  place: SourceLocation,
  known: ReadonlySet<string>,
  deps: AdapterDeps,
): AdapterFile | undefined {
  const { ledger } = deps;
  const service = readRecord(place);
  explain(service, ledger);
  const id = typeof service.name.value === 'string' ? service.name.value : '';
  const refusal = refusalOf(service, id, known);
  const address = refusal ? undefined : addressOf(service.own, ledger);
  if (!address) {
    ledger.leave(place, refusal ?? WHOLE.address);
    forget(service, ledger);
    return undefined;
  }
  useIdentity(service, id, ledger);
  const { model } = service;
  const installed = typeof model.value === 'string' ? deps.installed(model.value) : undefined;
  const value = {
    plugin: installed ? 'itential-adapter' : pluginOf(service),
    baseUrl: address.url,
    ...(installed
      ? communityKeys(service, id, { installed, ledger })
      : nativeKeys(service, id, { ...deps, address })),
    ...commonKeys(service, ledger),
    ...switchOf(id, deps),
  };
  return { id, value };
}

/** Marks the values that the file name and the plugin already express as used. */
function useIdentity({ whole, name, type, model }: AdapterRecord, id: string, ledger: ImportReport): void {
  for (const one of [name, at(whole, 'id'), at(whole, 'properties', 'id')])
    if (one.value === id) ledger.use(one);
  for (const one of [type, model, at(whole, 'type'), at(whole, 'isEncrypted'), at(whole, 'virtual')])
    ledger.use(one);
}

/** Disables the adapter if the profile does not name it as a service. */
function switchOf(id: string, { services, ledger }: AdapterDeps): Keys {
  if (services === undefined || services.has(id)) return {};
  ledger.tasks.push(
    `adapters/${id}.yaml: it is switched off, because the services of the profile do not name it.`,
  );
  return { enabled: false };
}

/** Records why values that are not imported are left out. */
function explain({ whole, own }: AdapterRecord, ledger: ImportReport): void {
  ledger.leave(whole, SERVICE);
  ledger.leave(at(whole, 'loggerProps'), SERVICE_LOG);
  for (const [name, reason] of ADAPTER_BLOCKS) ledger.leave(at(own, name), reason);
  ledger.leave(own, {
    why: 'The plugin has no such option.',
    instead: 'Run the adapter itself, with --community, where something relies on it.',
  });
}

/** Drops the reasons of nested values, so that a service config that is left out has a single reason. */
function forget({ whole, own }: AdapterRecord, ledger: ImportReport): void {
  for (const place of [
    own,
    at(whole, 'loggerProps'),
    ...[...ADAPTER_BLOCKS.keys()].map((name) => at(own, name)),
  ])
    ledger.drop(place);
}

function refusalOf(service: AdapterRecord, id: string, known: ReadonlySet<string>): Reason | undefined {
  const kind = kindOfRecord(service);
  if (at(service.whole, 'type').value === 'Application') return WHOLE.application;
  if (at(service.whole, 'virtual').value === true) return WHOLE.integration;
  if (/_aaa\b|\bldap\b|\bradius\b|adapter-(?:ldap|radius)/.test(kind)) return WHOLE.people;
  if (/\bemail\b/.test(kind)) return WHOLE.mail;
  if (!isAdapterId(id) || looksSecret(id)) return WHOLE.name;
  return known.has(id.toLowerCase()) ? WHOLE.twin : undefined;
}

/** Returns the plugin of an adapter. NSO uses RESTCONF. */
function pluginOf(service: AdapterRecord): string {
  return /\bnso\b|adapter-nso$/.test(kindOfRecord(service)) ? 'restconf' : 'http-rest';
}

interface Native extends AdapterDeps {
  readonly address: { readonly url: string; readonly path: string };
}

function nativeKeys(service: AdapterRecord, id: string, { ledger, machine, address }: Native): Keys {
  const { own } = service;
  const auth = loginOf({ id, own, address, ledger });
  if (!auth) reportLogin(at(own, 'authentication'), id, ledger);
  return {
    ...(auth && { auth }),
    ...tlsOf({ id, ssl: at(own, 'ssl'), ledger, machine }),
    ...proxyOf(at(own, 'proxy'), ledger),
    ...policiesOf(own, ledger),
    ...(pluginOf(service) === 'http-rest' &&
      headersOf(at(own, 'request', 'global_request', 'addlHeaders'), id, ledger)),
    ...(ledger.flag(at(own, 'stub')) && { stub: true }),
    ...(!auth && { enabled: false }),
  };
}

/**
 * Reports a login that must be written by hand. Its secrets move to Vault, and the adapter stays disabled
 * until then.
 */
function reportLogin(authentication: SourceLocation, id: string, ledger: ImportReport): void {
  ledger.leave(authentication, LOGIN);
  ledger.tasks.push(
    `adapters/${id}.yaml: how it logs in stands in the code of its adapter, not in its settings. It is switched off until you write auth (docs/guides/upstream.md) and remove enabled; or run the adapter itself, with --community.`,
  );
  for (const { name, pointer, value } of membersOf(authentication))
    if (typeof value === 'string' && tellsSecret(pointer, value))
      ledger.secret({ pointer, value }, { adapter: id, pointer: `/auth/${name}` });
}

const REFUSED =
  /^(?:authorization|cookie|host|accept|content-(?:type|length)|expect|forwarded|x-forwarded-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Returns the headers of every request. All values move to Vault, because they may be API keys. */
function headersOf(headers: SourceLocation, id: string, ledger: ImportReport): Keys {
  const taken = membersOf(headers)
    .filter(
      ({ name, value }) =>
        /^[A-Za-z][\w-]{0,63}$/.test(name) && !REFUSED.test(name) && typeof value === 'string',
    )
    .slice(0, 32)
    .map(
      ({ name, ...place }) =>
        [name, ledger.secret(place, { adapter: id, pointer: `/options/headers/${name}` })] as const,
    )
    .filter(([, value]) => value !== undefined);
  return taken.length === 0 ? {} : { options: { headers: Object.fromEntries(taken) } };
}

function communityKeys(
  { own }: AdapterRecord,
  id: string,
  { installed, ledger }: { readonly installed: Installed; readonly ledger: ImportReport },
): Keys {
  ledger.leave(own, NAME);
  const secrets = new Set(installed.secrets.map((pointer) => own.pointer + pointer));
  const written = ({ pointer, value }: SourceLocation): unknown => {
    const place = { pointer, value };
    if (typeof value === 'string') {
      const migrant = { adapter: id, pointer: `/options/properties${pointer.slice(own.pointer.length)}` };
      const text = secrets.has(pointer) ? ledger.secret(place, migrant) : ledger.text(place, migrant);
      return text ?? '';
    }
    if (Array.isArray(value)) return itemsOf(place).map(written);
    if (typeof value === 'object' && value !== null) {
      const members = membersOf(place).filter(({ name }) => name !== '__proto__' && !isEncrypted(name));
      return Object.fromEntries(members.map(({ name, ...member }) => [name, written(member)]));
    }
    ledger.use(place);
    return value;
  };
  return { options: { folder: installed.folder, properties: written(own) } };
}

function commonKeys({ whole, brokers, groups }: AdapterRecord, ledger: ImportReport): Keys {
  const level = levelOf(at(whole, 'loggerProps'), ledger);
  const lists = Object.entries({ brokers, groups }).flatMap(([key, place]) => {
    const words = itemsOf(place).flatMap((item) => ledger.word(item, /^[\w@. -]{1,64}$/) ?? []);
    return words.length === 0 ? [] : [[key, words] as const];
  });
  return { ...Object.fromEntries(lists), ...(level !== undefined && { log: { level } }) };
}

/** Service config of an adapter, in either form. */
export interface AdapterRecord {
  readonly whole: SourceLocation;
  readonly name: SourceLocation;
  readonly model: SourceLocation;
  /** Kind of the adapter, in the platform's terms. */
  readonly type: SourceLocation;
  readonly brokers: SourceLocation;
  readonly groups: SourceLocation;
  /** The adapter's own settings. */
  readonly own: SourceLocation;
}

/**
 * Reads both forms of a service config. The record of the API has the adapter's settings in
 * `properties.properties`; a properties file has them in `properties`.
 */
export function readRecord(whole: SourceLocation): AdapterRecord {
  const properties = at(whole, 'properties');
  const isRecord = isJsonObject(at(properties, 'properties').value);
  const outer = isRecord ? properties : whole;
  const named = ['name', 'id'].map((key) => at(whole, key));
  return {
    whole,
    name: [...named, at(outer, 'id')].find(({ value }) => typeof value === 'string') ?? at(whole, 'id'),
    model: at(whole, 'model'),
    type: at(outer, 'type'),
    brokers: at(outer, 'brokers'),
    groups: at(outer, 'groups'),
    own: isRecord ? at(properties, 'properties') : properties,
  };
}

/** Returns the model and type of an adapter in lower case. */
export function kindOfRecord({ model, type }: AdapterRecord): string {
  return [model.value, type.value]
    .filter((one) => typeof one === 'string')
    .join(' ')
    .toLowerCase();
}
