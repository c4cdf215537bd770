import { isJsonObject } from '../../core/json-object.js';
import { at, type SourceLocation } from './source-location.js';

/** The service config of an adapter, whichever form it has. */
export interface AdapterRecord {
  readonly whole: SourceLocation;
  readonly name: SourceLocation;
  readonly model: SourceLocation;
  /** What kind of adapter it is, in the platform's words. */
  readonly type: SourceLocation;
  readonly brokers: SourceLocation;
  readonly groups: SourceLocation;
  /** The adapter's own settings. */
  readonly own: SourceLocation;
}

/**
 * Reads the two forms of a service config: the record of the API, whose own settings are `properties.properties`, and
 * that of a properties file, whose own settings are `properties`.
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

/** What is said of its kind, in lower case. */
export function kindOfRecord({ model, type }: AdapterRecord): string {
  return [model.value, type.value]
    .filter((one) => typeof one === 'string')
    .join(' ')
    .toLowerCase();
}
