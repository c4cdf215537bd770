import { placeInRecord } from '../../config/adapter-record.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import type { Log } from '../../core/log.js';
import { Problem, type RequestError } from '../../core/problem.js';
import { type Redactor, Secret, type WriteSecrets } from '../../core/secret.js';
import { pointerTokens, valueAt, withValues } from '../../json/pointer.js';
import { withFix } from '../../lib/sentence.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { type ProposedPath, proposedPathsFor, proposeReferences } from '../../secrets/propose-references.js';
import { isReference, parseReference, platformMark } from '../../secrets/reference.js';
import { failureOf, mayPass } from '../../secrets/secret-error.js';
import type { AdapterConfig } from '../../server/state/configuration.js';
import { newTargets } from '../../upstream/adapter-targets.js';

export interface SealDeps {
  /** Mount of relative references. */
  readonly mount: string;
  readonly redactor: Redactor;
  /** Writes secrets to Vault; absent if plain text is refused (`vault.writeLiterals`). */
  readonly keep?: WriteSecrets;
  /** True if the change may be undone. The secret in Vault would stay, so that secrets in plain text are refused. */
  readonly mayBeUndone?: boolean | undefined;
  /** The current configuration. Secrets that it refers to are not overwritten. */
  readonly desired: {
    readonly main: WithReferences;
    readonly adapters: readonly (WithReferences & { id: string })[];
  };
}

type WithReferences = Pick<AdapterConfig, 'references'>;

/** A document whose plain-text secrets are replaced by references. */
export interface RecordWithReferences {
  readonly document: AdapterDocument;
  /** Writes the secrets to Vault. Throws a Problem if Vault refuses them. */
  readonly store: () => Promise<void>;
}

interface Literal {
  readonly pointer: string;
  readonly text: string;
}

/**
 * Replaces the plain-text secrets of a valid document by references. Writes nothing before `store`, so that the caller can test
 * the document first. Pointers of errors are relative to the body of the request.
 */
export function sealRecord(
  document: AdapterDocument,
  section: AdapterConfig,
  deps: SealDeps,
): RecordWithReferences | { readonly errors: readonly RequestError[] } {
  const literals = literalsOf(document, section);
  // Masks the secrets in the log, also if the request is refused.
  deps.redactor.add(literals.flatMap(({ text }) => [text, unescaped(text)]))();
  const existing = existingSecretPaths(literals, section, deps);
  const proposed = proposeReferences(
    literals.map(({ pointer }) => ({ adapter: section.id, pointer })),
    existing,
  );
  const pointerOf = (pointer: string): string => placeInRecord(pointer, document, section.written.value);
  const errors = literals.flatMap(({ pointer, text }, at) => {
    const message = literalFault(text) ?? storageFault(proposed[at], existing, deps);
    return message === undefined ? [] : [{ pointer: `/properties${pointerOf(pointer)}`, message }];
  });
  if (errors.length > 0) return { errors };
  const references = literals.map(({ pointer }, at) => [pointerOf(pointer), proposed[at]?.text] as const);
  const fields = literals.map(
    ({ text }, at) => [proposed[at]?.field ?? '', new Secret(unescaped(text))] as const,
  );
  return {
    document: withValues(document, new Map(references)) as AdapterDocument,
    store: async () => {
      // All fields of an adapter are in one secret.
      if (proposed[0]) await deps.keep?.(proposed[0].path, new Map(fields));
    },
  };
}

/** A document whose empty secrets have the references of the previous document. */
interface CopiedReferences {
  readonly document: AdapterDocument;
  /** Pointers in the document of the secrets that were empty. */
  readonly copied: readonly string[];
}

/**
 * Restores the references of the previous document for secrets that are empty in the new one. Clients that read an adapter to
 * change it may not receive its references.
 */
export function copyReferences(
  document: AdapterDocument,
  previous: AdapterConfig | undefined,
): CopiedReferences {
  const changes = (previous?.written.secrets ?? []).flatMap((pointer) => {
    const text = valueAt(previous?.written.value, pointer);
    const target = placeInRecord(pointer, document, previous?.written.value);
    const isRestored = typeof text === 'string' && isReference(text) && valueAt(document, target) === '';
    return isRestored ? [[target, text] as const] : [];
  });
  return {
    document: withValues(document, new Map(changes)) as AdapterDocument,
    copied: changes.map(([target]) => target),
  };
}

/**
 * Returns errors for copied references that the adapter would send to a target that it did not have before, so that who changes
 * an address must know its secrets. Pointers are relative to the body of the request.
 */
export function misdirectedReferences(
  { document, copied }: CopiedReferences,
  value: unknown,
  previous: AdapterConfig | undefined,
): readonly RequestError[] {
  if (copied.length === 0) return [];
  const isSamePlugin = document.model === previous?.record?.document['model'];
  const [target] = newTargets(value, previous?.written.value);
  if (!target && isSamePlugin) return [];
  const place = target ? placeInRecord(target.pointer, document, value) : '/model';
  const reason = `"${place}" changed, so that it would go to another target`;
  return copied.map((pointer) => ({
    pointer: `/properties${pointer}`,
    message: `must be given anew: ${reason}. Send the secret or its reference, not an empty text.`,
  }));
}

function literalsOf(document: AdapterDocument, { written, validate }: AdapterConfig): readonly Literal[] {
  const textAt = (pointer: string): string => {
    const value = valueAt(document, placeInRecord(pointer, document, written.value));
    return typeof value === 'string' ? value : '';
  };
  const { paths } = validate(structuredClone(written.value));
  // A client can send a private key in place of the path of its file.
  const keys = paths.filter((pointer) => textAt(pointer).includes('PRIVATE KEY-----'));
  return [...new Set([...written.secrets, ...keys])]
    .map((pointer) => ({ pointer, text: textAt(pointer) }))
    .filter(({ text }) => text !== '' && !isReference(text));
}

/**
 * Returns the secret paths that references use, and that must not be overwritten. References that the literals replace are
 * excluded.
 */
function existingSecretPaths(
  literals: readonly Literal[],
  { id, references: sectionReferences }: AdapterConfig,
  { desired, mount }: SealDeps,
): ReadonlySet<string> {
  const replaced = new Set(literals.map(({ pointer }) => pointer));
  const previous = desired.adapters.flatMap((adapter) =>
    adapter.references.filter(({ pointer }) => adapter.id !== id || !replaced.has(pointer)),
  );
  const located = [...sectionReferences, ...desired.main.references, ...previous];
  const references = located.map(({ reference }) => {
    const { field } = reference;
    // A JSON Pointer names a value inside its first segment, which is the field.
    return field?.startsWith('/') ? { ...reference, field: pointerTokens(field)[0] ?? field } : reference;
  });
  return proposedPathsFor(references, mount);
}

/** Returns why a text cannot be stored as a secret; undefined if it can. */
function literalFault(text: string): string | undefined {
  const parsed = parseReference(text);
  if (parsed.kind === 'fault') return withFix(parsed);
  const mark = platformMark(text);
  if (mark !== undefined)
    return `begins with "${mark}": the platform encoded it, and it is not decoded here. Send the value itself, or put it into Vault and write a reference.`;
  // A lone surrogate would reach Vault as another character.
  return /\p{Surrogate}/u.test(text) ? 'is not valid Unicode. Send it as UTF-8.' : undefined;
}

/** Returns why a secret cannot be written to its proposed path; undefined if it can. */
function storageFault(
  proposed: ProposedPath | undefined,
  existing: ReadonlySet<string>,
  { keep, mayBeUndone }: SealDeps,
): string | undefined {
  const { path = '', text = '' } = proposed ?? {};
  if (!keep)
    return `is a secret in plain text. Put it into Vault and write its reference, for example ${text} ("gatehouse secrets migrate" proposes them for files); or have the operator set vault.writeLiterals.`;
  if (mayBeUndone)
    return 'is a secret in plain text, and a change that waits for its confirmation cannot restore the present secret in Vault. Put the new secret into Vault under another path or field and send its reference, or send the change without confirmWithin.';
  return existing.has(`${path}#`)
    ? `is a secret in plain text, and it cannot be added to "${path}", because a reference to this secret names no field. Name the field in that reference.`
    : undefined;
}

/** Returns the text of a literal without its escape. */
function unescaped(text: string): string {
  const parsed = parseReference(text);
  return parsed.kind === 'literal' ? parsed.text : text;
}

/**
 * Creates the function that writes secrets to a source. If Vault refuses them, the log has the reason, and callers receive only
 * its code.
 */
export function createWriteSecrets(source: SecretSource, log: Log): WriteSecrets {
  return async (path, fields) => {
    try {
      await source.store(path, fields);
    } catch (error) {
      const { code, message: reason, fix } = failureOf(error);
      log.error('secret not written to vault', { code, reason, fix });
      const isTemporary = mayPass(code) || code === 'VAULT_WRITE_CONFLICT';
      const detail = `the secrets were not written to Vault (${code}), so the adapter was not changed`;
      throw new Problem(isTemporary ? 'vault_unavailable' : 'vault_refused', detail);
    }
  };
}
