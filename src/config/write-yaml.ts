import { stringify } from 'yaml';

/** A document of plain JSON values as YAML 1.2 that this product reads as the same values. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
}
