import { dirname, isAbsolute, relative } from 'node:path';
import type { Fault, LocatedFault } from '../../core/fault.js';
import { valueAt } from '../../core/pointer.js';
import { type ConfigSection, locateFault } from './config-section.js';
import { referenceSyntax } from './reference-syntax.js';
import type { ResolvedSection } from './resolve-sections.js';

/**
 * Faults for files that a registered adapter names outside of the folder of the configuration: whoever may use the API
 * may not therefore make this process read and write files anywhere.
 */
export function escapingPaths({ written, validate }: ConfigSection, folder: string): readonly Fault[] {
  const { paths } = validate(structuredClone(written.value));
  return paths
    .filter((pointer) => {
      const path = valueAt(written.value, pointer);
      return typeof path === 'string' && !referenceSyntax.isReference(path) && !isInside(path, folder);
    })
    .map((pointer) => locateFault(written, escaping(pointer)));
}

/** The same for the files that it names once its secrets are resolved. */
export function escapingFiles(
  { files }: ResolvedSection,
  { document }: ConfigSection['written'],
): readonly LocatedFault[] {
  const escaped = [...files].filter(([, file]) => !isInside(file, dirname(document.file)));
  return escaped.map(([pointer]) => escaping(pointer));
}

/** The folder of the adapters stands in that of the configuration. */
function isInside(path: string, folder: string): boolean {
  const below = relative(dirname(folder), path);
  return isAbsolute(path) && below !== '' && below.split(/[/\\]/)[0] !== '..' && !isAbsolute(below);
}

function escaping(pointer: string): LocatedFault {
  return {
    pointer,
    code: 'path',
    message: 'names a file outside of the folder of the configuration',
    fix: 'Put the file below the folder of the configuration, or its content into Vault.',
  };
}
