import type { Written } from '../../config/check-written.js';
import { indicatesSecret } from '../../config/profile-secrets.js';
import { addedFaults, type Fault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import { pointerTokens, stringsOf, valueAt } from '../../json/pointer.js';
import { type ProposedPath, proposedPathsFor, proposeReferences } from '../../secrets/propose-references.js';
import { parseReference } from '../../secrets/reference.js';
import { configuredPlace, secretPlace, type SecretPlaceKind } from '../../secrets/secret-place.js';
import { type ConfigSection, locateFault, type DesiredFiles } from './configuration.js';

/** Names of members that the schemas take from Vault if wanted, but that protect nothing: user names and hashes. */
const HARMLESS_NAME = /(?:user_?name|hash)$/i;

/** Members with names of the operator's choice, most of which are no secrets: `Content-Type`, `duration`. */
const FREE_MEMBERS = /^\/(?:auth\/steps\/\d+\/request|tracing|options)\/(?:headers|body|form)\//;

/** A login step inserts values at these marks. */
const INSERTED_VALUE = /\{\w+\}/;

/** Names of members that are secrets although their schema allows any text. */
const SECRET_NAME = /auth|cookie|credential|key$|pass|secret|token/i;

/**
 * Returns the pointers, relative to the value of a section, of the secrets that its file contains in plain text: at the
 * positions of secrets in its schema, and those that their name or form reveals. Hashes of passwords, user names, and values
 * from the environment are not in plain text.
 */
export function literalSecrets({ document, at, value, secrets }: Written): readonly string[] {
  const marked = new Set(secrets);
  // The value has more texts than the file: those of the defaults.
  return stringsOf(valueAt(document.value, at)).flatMap(({ pointer, text }) => {
    if (text === '' || parseReference(text).kind !== 'literal') return [];
    if (typeof valueAt(value, pointer) !== 'string') return [];
    const withoutValues = document.insertions?.get(at + pointer)?.withoutValues;
    const isFound =
      withoutValues === undefined
        ? marked.has(pointer)
          ? isSecret(pointer, text)
          : isRevealed(pointer, text)
        : indicatesSecret('', withoutValues);
    return isFound ? [pointer] : [];
  });
}

/** Returns true for a text at the position of a secret, unless its name is that of a public value. */
function isSecret(pointer: string, text: string): boolean {
  const name = pointerTokens(pointer).at(-1) ?? '';
  if (HARMLESS_NAME.test(name)) return false;
  if (!FREE_MEMBERS.test(pointer)) return true;
  return SECRET_NAME.test(name) && !INSERTED_VALUE.test(text);
}

/** Returns true for a private key, for a URL with a password, and for an option of a plugin with the name of a secret. */
function isRevealed(pointer: string, text: string): boolean {
  return indicatesSecret(pointer.startsWith('/options/') ? pointer : '', text);
}

/** Returns a fault for each secret in plain text in the files, with the reference that can take its place. */
export function literalSecretFaults({ main, adapters }: DesiredFiles): readonly Fault[] {
  const sections: readonly ConfigSection[] = [main, ...adapters];
  const found = sections.flatMap((section) =>
    literalSecrets(section.written).map((pointer) => ({ section, pointer })),
  );
  const mount = valueAt(main.written.value, '/vault/mount');
  const references = sections.flatMap((section) => section.references.map(({ reference }) => reference));
  const taken = proposedPathsFor(references, typeof mount === 'string' ? mount : 'secret');
  const proposed = proposeReferences(
    found.map(({ section: { name }, pointer }) => ({ adapter: name === '' ? null : name, pointer })),
    taken,
  );
  const kind = configuredPlace(main.written.value);
  return found.map(({ section, pointer }, index) =>
    locateFault(section.written, {
      pointer,
      code: 'SECRET_LITERAL',
      message: 'is a secret in plain text',
      fix: literalFix(kind, proposed[index] ?? { path: '<path>', field: '<field>' }),
    }),
  );
}

function literalFix(kind: SecretPlaceKind, { path, field }: Pick<ProposedPath, 'path' | 'field'>): string {
  const { text } = secretPlace(kind, path, field);
  switch (kind) {
    case 'vault':
      return `Store it in Vault and write ${text} ("gatehouse secrets migrate --from-literals" does it), or write \${NAME} and set the variable.`;
    case 'file':
      return `Store it in the folder secrets.files.root and write ${text}, or write \${NAME} and set the variable.`;
    case 'variable':
      return `Write ${text} and set the variable, or configure vault or secrets.files and write a reference.`;
  }
}

/** Returns the faults of `vault.literals: refuse`; none if secrets in plain text are a warning. */
export function refusedLiterals(files: DesiredFiles): readonly Fault[] {
  return valueAt(files.main.written.value, '/vault/literals') === 'refuse' ? literalSecretFaults(files) : [];
}

/** Maximum number of locations in one line of the log. */
const MAX_LOGGED_LOCATIONS = 20;

/**
 * Logs a warning for the secrets in plain text in the files, except those that the previous files contained too. The values
 * never reach the log.
 */
export function warnLiterals(files: DesiredFiles, log: Log, previous?: DesiredFiles): void {
  const added = addedFaults(literalSecretFaults(files), previous ? literalSecretFaults(previous) : []);
  if (added.length === 0) return;
  log.warn('configuration files contain secrets in plain text', {
    count: added.length,
    locations: added.slice(0, MAX_LOGGED_LOCATIONS).map(({ file, line, column, pointer }) => {
      return `${file}:${line}:${column} ${pointer}`;
    }),
    fix:
      configuredPlace(files.main.written.value) === 'vault'
        ? 'Run "gatehouse secrets migrate --from-literals", or write ${NAME} and set the variables.'
        : 'Run "gatehouse check", which proposes what to write in their place.',
  });
}
