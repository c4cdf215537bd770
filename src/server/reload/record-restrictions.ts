import { dirname, isAbsolute, relative } from 'node:path';
import type { Fault, LocatedFault } from '../../core/fault.js';
import { pointerTokens, valueAt } from '../../core/pointer.js';
import type { Reference } from '../../vault/reference.js';
import { secretPath } from '../../vault/secret-path.js';
import type { AdapterConfig } from './desired-state.js';
import { type ConfigSection, locateFault, referenceSyntax } from './config-section.js';
import type { ResolvedSection } from './resolve-sections.js';

// Restrictions of adapters that are registered through the API. They do not apply to adapters of files.

/**
 * Returns faults for files outside the folder of the configuration. Otherwise clients of the API could make this process read
 * and write any file.
 */
export function escapingPaths({ written, validate }: ConfigSection, folder: string): readonly Fault[] {
  const { paths } = validate(structuredClone(written.value));
  return paths
    .filter((pointer) => {
      const path = valueAt(written.value, pointer);
      return typeof path === 'string' && !referenceSyntax.isReference(path) && !isInside(path, folder);
    })
    .map((pointer) => locateFault(written, escapeFault(pointer)));
}

/** Returns the same faults for the files that an adapter names after its secrets are resolved. */
export function escapingFiles(
  { files }: ResolvedSection,
  { document }: ConfigSection['written'],
): readonly LocatedFault[] {
  const escaped = [...files].filter(([, file]) => !isInside(file, dirname(document.file)));
  return escaped.map(([pointer]) => escapeFault(pointer));
}

/** Returns true if a path is inside the parent of the adapter folder, which is the folder of the configuration. */
function isInside(path: string, folder: string): boolean {
  const inside = relative(dirname(folder), path);
  return isAbsolute(path) && inside !== '' && inside.split(/[/\\]/)[0] !== '..' && !isAbsolute(inside);
}

function escapeFault(pointer: string): LocatedFault {
  return {
    pointer,
    code: 'path',
    message: 'names a file outside of the folder of the configuration',
    fix: 'Put the file below the folder of the configuration, or its content into Vault.',
  };
}

/** The values of the main file that restrict registered adapters. */
export interface MainSection extends Pick<ConfigSection, 'references'> {
  readonly written: Pick<ConfigSection['written'], 'value'>;
}

/**
 * Returns faults for references to secrets of the main file, for example the key that verifies tokens. Clients of the API
 * choose where an adapter sends its secrets.
 */
export function reservedSecrets({ written, references }: ConfigSection, main: MainSection): readonly Fault[] {
  const mount = valueAt(main.written.value, '/vault/mount');
  const addressOf = ({ reference }: ConfigSection['references'][number]): FieldAddress => ({
    path: secretPath({ ...reference, version: null }, typeof mount === 'string' ? mount : 'secret').key,
    field: fieldOf(reference),
  });
  const reserved = main.references.map(addressOf);
  return references
    .filter((located) => reserved.some((address) => overlaps(address, addressOf(located))))
    .map(({ pointer }) => locateFault(written, { pointer, ...RESERVED_SECRET }));
}

/** The address of a secret, without version and encoding. */
interface FieldAddress {
  readonly path: string;
  /** Null: the only field of the secret. */
  readonly field: string | null;
}

function overlaps(a: FieldAddress, b: FieldAddress): boolean {
  if (a.path !== b.path) return false;
  return a.field === null || b.field === null || a.field === b.field;
}

/** Returns the field of a reference. A JSON Pointer names a value inside its first segment. */
function fieldOf({ field }: Reference): string | null {
  return field?.startsWith('/') ? (pointerTokens(field)[0] ?? field) : field;
}

const RESERVED_SECRET = {
  code: 'reserved_secret',
  message: 'refers to a secret of the main file, which registered adapters must not use',
  fix: 'Create a separate secret for the adapter.',
};

const DEFAULT_SCOPE = 'adapters/{name}';

/**
 * Returns faults for references to secrets outside of `vault.adapterScope`. A client of the API chooses where a
 * registered adapter sends its secrets, so that it must not have the secrets of other adapters.
 */
export function secretsOutOfScope(
  { id, written, references }: Pick<AdapterConfig, 'id' | 'written' | 'references'>,
  main: MainSection,
): readonly Fault[] {
  const mount = textAt(main, '/vault/mount') ?? 'secret';
  const scope = (textAt(main, '/vault/adapterScope') ?? DEFAULT_SCOPE).replaceAll('{name}', id);
  if (scope === '') return [];
  const root = [...mount.split('/'), ...scope.split('/')];
  return references
    .filter(({ reference }) => {
      const { segments } = secretPath(reference, mount);
      return !root.every((segment, at) => segments[at] === segment);
    })
    .map(({ pointer }) =>
      locateFault(written, {
        pointer,
        code: 'secret_scope',
        message: `refers to a secret outside of "${scope}", where the setting vault.adapterScope has the secrets of this adapter`,
        fix: `Move the secret to "${scope}" in Vault, or ask the operator to widen vault.adapterScope.`,
      }),
    );
}

/** Returns the setting `egress.adapters`. A profile, which clients of the API write, cannot change it. */
export function openTargetsOf({ written }: MainSection): readonly string[] {
  const entries = valueAt(written.value, '/egress/adapters');
  return Array.isArray(entries) ? entries.map(String) : [];
}

function textAt({ written }: MainSection, pointer: string): string | undefined {
  const value = valueAt(written.value, pointer);
  return typeof value === 'string' ? value : undefined;
}
