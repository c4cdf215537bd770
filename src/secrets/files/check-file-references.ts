import type { SecretFileSettings } from '../../core/secret-file-settings.js';
import type { LocatedReference } from '../find-references.js';
import { failureOf } from '../secret-error.js';
import type { LookupResult } from '../vault/resolve-reference.js';
import { FILE_TEXT, fileValue } from './file-value.js';
import { readSecretFile } from './read-secret-file.js';

/** Result of the check of a reference, which may be one to a file. It contains no value. */
export interface FileLookupResult extends LookupResult {
  /** True for a file that every user of the system may read. */
  readonly isWorldReadable?: boolean;
}

/** Checks for every reference whether its file has a value. Rejects only on a bug. */
export function checkFileReferences(
  references: readonly LocatedReference[],
  settings: SecretFileSettings,
): Promise<readonly FileLookupResult[]> {
  return Promise.all(references.map((located) => checkFileReference(located, settings)));
}

async function checkFileReference(
  { pointer, reference }: LocatedReference,
  settings: SecretFileSettings,
): Promise<FileLookupResult> {
  const { segments, field } = reference;
  const checked = { pointer, path: segments.join('/'), version: null, field, names: [], asked: true };
  try {
    const { text, isWorldReadable } = await readSecretFile(segments, settings);
    fileValue({ [FILE_TEXT]: text }, reference);
    return { ...checked, isWorldReadable };
  } catch (error) {
    return { ...checked, failure: failureOf(error) };
  }
}
