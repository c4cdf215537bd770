import { stringify } from 'yaml';

/** Writes plain JSON values as YAML 1.2 that gatehouse reads as the same values. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true });
}
