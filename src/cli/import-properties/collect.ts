import { isJsonObject } from '../../core/json-object.js';
import { at, itemsOf, membersOf, type SourceLocation } from './source-location.js';
import type { ImportReport } from './import-report.js';

/** What the documents of the platform hold, sorted out. */
export interface SourceProperties {
  /** The service configs of adapters. */
  readonly adapters: readonly SourceLocation[];
  /** The blocks of the properties file and of the profile: `expressProps`, `vaultProps` and so on, by name. */
  readonly blocks: ReadonlyMap<string, SourceLocation>;
}

const SECOND = {
  why: 'A document before this one, or another profile, says it already, and one configuration is in effect at a time.',
  instead: 'A profile can be kept as it is, and made active later: POST /profiles/import.',
};

/**
 * Sorts out documents of the platform: a properties file, an exported profile, the service config of an adapter, lists
 * of those as the API answers them. An active profile goes before others, then the first document that says something.
 */
export function collectProperties(
  documents: readonly SourceLocation[],
  ledger: ImportReport,
): SourceProperties {
  const records = documents.flatMap((document) => recordsIn(document, ledger));
  const adapters = records.filter(isService);
  const settings = records.filter((record) => !isService(record));
  const blocks = new Map<string, SourceLocation>();
  for (const one of [...settings.filter(isActive), ...settings.filter((each) => !isActive(each))])
    for (const { name, pointer, value } of membersOf(contentOf(one, ledger))) {
      const place = { pointer, value };
      if (name === 'adapterProps') adapters.push(...itemsOf(at(place, 'adapters')).filter(isService));
      if (blocks.has(name)) ledger.leave(place, SECOND);
      else blocks.set(name, place);
    }
  return { adapters, blocks };
}

/** Lists, and what the API wraps around a record, taken apart. */
function recordsIn(place: SourceLocation, ledger: ImportReport): readonly SourceLocation[] {
  const { value } = place;
  if (Array.isArray(value)) return itemsOf(place).flatMap((item) => recordsIn(item, ledger));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(at(place, 'results').value)) {
    ledger.use(at(place, 'total'));
    return recordsIn(at(place, 'results'), ledger);
  }
  if (isJsonObject(at(place, 'metadata').value) && isJsonObject(at(place, 'data').value)) {
    ledger.useAll(at(place, 'metadata'));
    return recordsIn(at(place, 'data'), ledger);
  }
  const profiles = itemsOf(at(place, 'profiles'));
  return [...profiles.flatMap((profile) => recordsIn(profile, ledger)), place];
}

/** True for the service config of an adapter or an application. */
function isService(place: SourceLocation): boolean {
  return isJsonObject(at(place, 'properties').value);
}

function isActive(place: SourceLocation): boolean {
  return at(place, 'metadata', 'isActive').value === true;
}

/** A profile stands beside its metadata where the API answered it. */
function contentOf(place: SourceLocation, ledger: ImportReport): SourceLocation {
  const profile = at(place, 'profile');
  if (!isJsonObject(profile.value)) return place;
  ledger.useAll(at(place, 'metadata'));
  return profile;
}
