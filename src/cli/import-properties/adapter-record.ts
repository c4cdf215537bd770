import { isJsonObject } from '../../core/json-object.js';
import { at, type SourceLocation } from './source-location.js';

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
