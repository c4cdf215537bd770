import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import type { Fault, LocatedFault, FaultText } from '../../core/fault.js';
import { pointerTokens, valueAt } from '../../json/pointer.js';
import type { Reference } from '../../secrets/reference.js';
import { secretPath } from '../../secrets/secret-path.js';
import { type ConfigSection, locateFault, referenceSyntax, type AdapterConfig } from './configuration.js';
import type { ResolvedSection } from './resolve.js';

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
  readonly written: { readonly value: unknown };
}

/**
 * Returns faults for references to secrets of the main file, for example the key that verifies tokens. Clients of the API
 * choose where an adapter sends its secrets.
 */
export function reservedSecrets({ written, references }: ConfigSection, main: MainSection): readonly Fault[] {
  return references
    .filter(({ reference }) => isReserved(reference, main))
    .map(({ pointer }) => locateFault(written, { pointer, ...RESERVED_SECRET }));
}

/** Returns true if the main file refers to the same secret and field, or names the file by its path. */
function isReserved(reference: Reference, main: MainSection): boolean {
  if (reference.store === 'file' && isNamedFile(reference, main)) return true;
  const mount = textAt(main, '/vault/mount') ?? 'secret';
  const addressOf = (other: Reference): FieldAddress => ({
    path: secretPath({ ...other, version: null }, mount).key,
    field: fieldOf(other),
  });
  const address = addressOf(reference);
  return main.references.some((reserved) => overlaps(addressOf(reserved.reference), address));
}

/**
 * Returns true if any text of the main file is the path of the file, for example `vault.auth.secretIdFile` or
 * `server.tls.keyFile`. Paths in a checked file are absolute.
 */
function isNamedFile({ segments }: Reference, main: MainSection): boolean {
  const root = textAt(main, '/secrets/files/root');
  if (root === undefined) return false;
  const file = join(root, ...segments);
  return textsIn(main.written.value).some((text) => isAbsolute(text) && normalize(text) === file);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
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
 * Returns faults for references to secrets outside of `vault.adapterScope` or `secrets.files.adapterScope`. A client of the API chooses where a
 * registered adapter sends its secrets, so that it must not have the secrets of other adapters.
 */
export function secretsOutOfScope(
  { id, written, references }: AdapterConfig,
  main: MainSection,
): readonly Fault[] {
  return references.flatMap(({ pointer, reference }) => {
    const scope = scopeOf(id, main, reference.store);
    if (isInScope(reference, scope)) return [];
    return [locateFault(written, { pointer, code: 'secret_scope', ...outsideOf(scope) })];
  });
}

/**
 * Returns why an adapter of this name, registered through the API, must not use a reference; undefined if it may.
 */
export function refusedSecret(reference: Reference, id: string, main: MainSection): FaultText | undefined {
  if (isReserved(reference, main)) return { message: RESERVED_SECRET.message, fix: RESERVED_SECRET.fix };
  const scope = scopeOf(id, main, reference.store);
  return isInScope(reference, scope) ? undefined : outsideOf(scope);
}

/** The setting `adapterScope` of a store for one adapter. */
interface SecretScope {
  /** Path below the mount, or below the folder of the files; empty: all secrets. */
  readonly path: string;
  /** Empty for files. */
  readonly mount: string;
  readonly store: Reference['store'];
}

/** Returns where the secrets of an adapter of this name are, if it is registered through the API. */
export function scopeOf(id: string, main: MainSection, store?: Reference['store']): SecretScope {
  const block = store === 'file' ? '/secrets/files' : '/vault';
  const path = (textAt(main, `${block}/adapterScope`) ?? DEFAULT_SCOPE).replaceAll('{name}', id);
  return { path, mount: store === 'file' ? '' : (textAt(main, '/vault/mount') ?? 'secret'), store };
}

function isInScope(reference: Reference, { path, mount }: SecretScope): boolean {
  if (path === '') return true;
  const { segments } = secretPath(reference, mount);
  const scope = mount === '' ? path : `${mount}/${path}`;
  return scope.split('/').every((segment, at) => segments[at] === segment);
}

function outsideOf({ path, store }: SecretScope): FaultText {
  const setting = store === 'file' ? 'secrets.files.adapterScope' : 'vault.adapterScope';
  const place = store === 'file' ? `below secrets.files.root` : 'in Vault';
  return {
    message: `refers to a secret outside of "${path}", where the setting ${setting} has the secrets of this adapter`,
    fix: `Move the secret to "${path}" ${place}, or ask the operator to widen ${setting}.`,
  };
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
