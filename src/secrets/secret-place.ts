import { valueAt } from '../json/pointer.js';
import { formatReference } from './reference.js';

/** Kind of the place for a secret. */
export type SecretPlaceKind = 'vault' | 'file' | 'variable';

/** Proposed place for a secret: the text of the configuration, and how to store the value. */
export interface SecretPlace {
  readonly text: string;
  /** Sentence in the imperative, without its end, for example `store the secret adapters/nso1#key in Vault`. */
  readonly advice: string;
}

/** Returns where the main file keeps secrets: in Vault, in files, or in environment variables if it has neither. */
export function configuredPlace(main: unknown): SecretPlaceKind {
  if ((valueAt(main, '/vault') ?? null) !== null) return 'vault';
  return (valueAt(main, '/secrets/files') ?? null) !== null ? 'file' : 'variable';
}

/** Returns the place for a value that would be the field of this path in Vault. */
export function secretPlace(kind: SecretPlaceKind, path: string, field: string): SecretPlace {
  const base = { absolute: false, version: null, encoding: 'utf8' } as const;
  const segments = path.split('/');
  switch (kind) {
    case 'vault':
      return {
        text: formatReference({ ...base, segments, field }),
        advice: `store the secret ${path}#${field} in Vault`,
      };
    case 'file':
      return {
        text: formatReference({ ...base, store: 'file', segments: [...segments, field], field: null }),
        advice: `write the secret to the file ${path}/${field} in the folder secrets.files.root`,
      };
    case 'variable': {
      const name = variableName([...segments.slice(1), field].join('_'));
      return { text: `\${${name}}`, advice: `set the environment variable ${name} to the secret` };
    }
  }
}

function variableName(text: string): string {
  const words = text.replaceAll(/([a-z])(?=[A-Z])/g, '$1_').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return words.replace(/^(?=\d)/, '_').toUpperCase();
}
