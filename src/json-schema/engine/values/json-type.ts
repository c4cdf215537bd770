import { isJsonObject } from '../../../core/json-object.js';

/** Returns true if a value has a JSON type. A number without a fraction is also an `integer`. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
