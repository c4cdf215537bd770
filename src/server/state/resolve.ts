import { isDeepStrictEqual } from 'node:util';
import { absolutePaths } from '../../config/check-written.js';
import { asSettings } from '../../config/settings-schema.js';
import type { SecretVersion } from '../../core/attempt.js';
import { ConfigError, type Fault, type LocatedFault } from '../../core/fault.js';
import type { ValidationResult, Violation } from '../../core/schema.js';
import { type Redactor, Secret } from '../../core/secret.js';
import { valueAt, withValues } from '../../json/pointer.js';
import { sharedIfEmpty } from '../../lib/shared-if-empty.js';
import { FILES_NOT_CONFIGURED } from '../../secrets/files/file-store.js';
import type { LocatedReference } from '../../secrets/find-references.js';
import type { Freshness, Resolution, SecretResolver } from '../../secrets/open-secrets.js';
import { pathText } from '../../secrets/reference.js';
import type { StoreBlock } from '../../secrets/store.js';
import { VAULT_NOT_CONFIGURED } from '../../secrets/vault/vault-store.js';
import type { Settings } from '../../settings/settings.js';
import { type ConfigSection, locateFault, type Desired, type AdapterConfig } from './configuration.js';

/** A section with its references replaced, or the failures that prevent that. */
export interface ResolvedSection {
  /** The value. At the positions of secrets it contains a `Secret`. */
  readonly value: unknown;
  readonly failures: readonly LocatedFault[];
  /** The values from Vault as text, for the redactor. */
  readonly fromVault: readonly string[];
  /** The versions of the values from Vault, by pointer. */
  readonly versions: ReadonlyMap<string, SecretVersion>;
  /** The files that the value names, by pointer. */
  readonly files: ReadonlyMap<string, string>;
}

/** A section of the configuration with its secrets. */
export type WithSecrets<Section extends ConfigSection> = Section & { readonly resolved: ResolvedSection };

/** An adapter with its secrets. */
export type ResolvedAdapterConfig = WithSecrets<AdapterConfig>;

/** Returns a section with its references replaced. */
export type Resolved = (section: ConfigSection) => ResolvedSection;

/** Resolves the references of several sections with one request to the source, so that each path is read once. */
export async function resolveSections(
  sections: readonly ConfigSection[],
  source: SecretResolver,
  freshness: Freshness = 'read',
): Promise<Resolved> {
  const named = namedReferences(sections);
  const resolutions =
    named.length === 0 ? new Map<string, Resolution>() : await source.resolve(named, freshness);
  return (section) => resolveCached(section, (pointer) => resolutions.get(section.name + pointer));
}

/** Returns the settings of the main file with its secrets. Throws a ConfigError if a reference has no value. */
export function settingsFrom({ main }: Desired, resolved: Resolved): Settings {
  const { value, failures } = resolved(main);
  if (failures.length > 0)
    throw new ConfigError(failures.map((failure) => locateFault(main.written, failure)));
  return asSettings(value);
}

/** A secret source whose values are masked in the log. */
interface RedactedSecrets extends SecretResolver {
  /** Reports that the values are no longer in use. The redactor masks them for another hour. */
  close(): Promise<void>;
}

/** Passes every value of a source to the redactor before the caller receives it. */
export function redactedSecrets(source: SecretResolver, redactor: Redactor): RedactedSecrets {
  const releases: (() => void)[] = [];
  return {
    async resolve(...request) {
      const resolutions = await source.resolve(...request);
      const values = [...resolutions.values()].flatMap((resolution) =>
        'value' in resolution ? [String(resolution.value)] : [],
      );
      releases.push(redactor.add(values));
      return resolutions;
    },
    close() {
      for (const release of releases.splice(0)) release();
      return Promise.resolve();
    },
  };
}

/** Returns the references of several sections, with the names of the sections before their pointers. */
function namedReferences(sections: readonly ConfigSection[]): readonly LocatedReference[] {
  return sections.flatMap(({ name, references }) =>
    references.map(({ pointer, reference }) => ({ pointer: name + pointer, reference })),
  );
}

interface CachedSection {
  readonly from: readonly (Resolution | undefined)[];
  readonly resolved: ResolvedSection;
}

/** Resolved sections by their value as written, which is the same object while its file is unchanged. */
const resolvedCache = new WeakMap<ConfigSection['written'], CachedSection>();

/** Returns the same object while value and secrets are unchanged, so that the results of a build can be reused. */
function resolveCached(
  section: ConfigSection,
  resolutionOf: (pointer: string) => Resolution | undefined,
): ResolvedSection {
  const cached = resolvedCache.get(section.written);
  const from = section.references.map(({ pointer }) => resolutionOf(pointer));
  // A new version with the same value changes nothing: the value in use was read from the former version.
  if (cached && isDeepStrictEqual(cached.from.map(withoutVersion), from.map(withoutVersion)))
    return cached.resolved;
  const resolved = resolveSection(section, resolutionOf);
  resolvedCache.set(section.written, { from, resolved });
  return resolved;
}

function withoutVersion(resolution: Resolution | undefined): Resolution | undefined {
  return resolution && 'value' in resolution ? { value: resolution.value } : resolution;
}

// Fails closed: the text of a reference must never be used as its value.
const UNRESOLVED = {
  code: 'VAULT_UNAVAILABLE',
  message: 'the reference was not resolved',
  fix: 'Report this: the secret source returned no result.',
};

/** Replaces the references of a section and validates the result. A resolved value is not searched for references. */
function resolveSection(
  section: ConfigSection,
  resolutionOf: (pointer: string) => Resolution | undefined,
): ResolvedSection {
  const { written, literals } = section;
  const values = new Map<string, unknown>(literals);
  const failures: LocatedFault[] = [];
  const fromVault: string[] = [];
  const versions = new Map<string, SecretVersion>();
  for (const { pointer, reference } of section.references) {
    const resolution = resolutionOf(pointer) ?? UNRESOLVED;
    if ('value' in resolution) {
      values.set(pointer, resolution.value);
      fromVault.push(String(resolution.value));
      versions.set(pointer, { path: pathText(reference), version: resolution.version ?? null });
    } else failures.push({ pointer, ...resolution });
  }
  if (failures.length > 0) return { value: undefined, failures, fromVault, versions, files: new Map() };
  const plain = withValues(written.value, values);
  const { violations, secrets, paths } =
    (values.size === 0 ? asWritten(written) : undefined) ?? section.validate(plain);
  const isContent = (pointer: string): boolean =>
    section.references.some((reference) => reference.pointer === pointer) && isPem(valueAt(plain, pointer));
  const files = paths.filter((pointer) => !isContent(pointer));
  const withAbsolutePaths = absolutePaths(plain, files, written.document.file);
  return {
    value: wrapSecrets(withAbsolutePaths, [...secrets, ...paths.filter(isContent)]),
    failures: violations.map(asFailure),
    fromVault,
    versions: sharedIfEmpty(versions),
    files: sharedIfEmpty(
      new Map(files.map((pointer) => [pointer, String(valueAt(withAbsolutePaths, pointer))])),
    ),
  };
}

/** Returns the result of the validation of a value that is valid as written; undefined for another value. */
function asWritten({ secrets, paths }: ConfigSection['written']): ValidationResult | undefined {
  return paths && { violations: [], secrets, paths };
}

/** Returns true for PEM text. A reference in place of a file path can resolve to the content of the file. */
function isPem(value: unknown): boolean {
  return typeof value === 'string' && value.includes('-----BEGIN ');
}

function asFailure({ pointer, keyword, message }: Violation): LocatedFault {
  return {
    pointer,
    code: 'schema',
    message: `${message} (${keyword}, after its secrets were resolved)`,
    fix:
      keyword === 'type' && message === 'must be a string'
        ? 'Store the value as a text: in JSON, put it in quotes.'
        : 'Correct the value, or the secret that the reference names.',
  };
}

/** Wraps the values at the positions of secrets in a `Secret`. */
function wrapSecrets(value: unknown, pointers: readonly string[]): unknown {
  const secrets = pointers.map((pointer) => [pointer, new Secret(String(valueAt(value, pointer)))] as const);
  return withValues(value, new Map(secrets));
}

/** Returns true if the main file has the block of a store. */
export function hasStoreBlock(
  { written }: { readonly written: { readonly value: unknown } },
  block: StoreBlock,
): boolean {
  return (valueAt(written.value, `/${block.replace('.', '/')}`) ?? null) !== null;
}

/** Returns a fault for each reference of a section to a store that the main file does not configure. */
export function referencesWithoutStore(
  { written, references }: ConfigSection,
  main: { readonly written: { readonly value: unknown } },
): readonly Fault[] {
  const missing = {
    vault: hasStoreBlock(main, 'vault') ? undefined : VAULT_NOT_CONFIGURED,
    file: hasStoreBlock(main, 'secrets.files') ? undefined : FILES_NOT_CONFIGURED,
  };
  return references.flatMap(({ pointer, reference }) => {
    const failure = missing[reference.store ?? 'vault'];
    return failure ? [locateFault(written, { pointer, ...failure })] : [];
  });
}
