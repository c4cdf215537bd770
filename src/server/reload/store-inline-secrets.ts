import { placeInRecord } from '../../config/adapter-record.js';
import type { AdapterDocument } from '../../core/adapter-document.js';
import type { WriteSecrets } from '../../core/keep-secrets.js';
import { pointerTokens, valueAt, withValues } from '../../core/pointer.js';
import type { RequestError } from '../../core/problem.js';
import type { Redactor } from '../../core/redactor.js';
import { Secret } from '../../core/secret.js';
import { isReference, parseReference, platformMark } from '../../vault/reference.js';
import { type ProposedPath, proposedPathsFor, proposeReferences } from '../../vault/propose-references.js';
import type { AdapterConfig } from './desired-state.js';

export interface SealDeps {
  /** Mount that relative references are read from. */
  readonly mount: string;
  readonly redactor: Pick<Redactor, 'add'>;
  /** Absent where plaintext is refused (`vault.writeLiterals`). */
  readonly keep?: WriteSecrets;
  /** The configuration so far: what its references lead to is not written over. */
  readonly desired: { readonly main: Referring; readonly adapters: readonly (Referring & { id: string })[] };
}

type Referring = Pick<AdapterConfig, 'references'>;

/** A document with references where it had secrets in plain text. */
export interface RecordWithReferences {
  readonly document: AdapterDocument;
  /** Writes those secrets to Vault. Throws a Problem when it does not take them. */
  readonly store: () => Promise<void>;
}

/** A secret in plain text. */
interface Literal {
  /** As in the adapter's file. */
  readonly pointer: string;
  readonly text: string;
}

/**
 * Takes the secrets in plain text out of a document that `readRecord` found no fault with. Nothing is written before
 * `store`, so that the document can be tried first. Pointers of errors count from the body of the request.
 */
export function sealRecord(
  document: AdapterDocument,
  section: AdapterConfig,
  deps: SealDeps,
): RecordWithReferences | { readonly errors: readonly RequestError[] } {
  const literals = literalsOf(document, section);
  // Whatever becomes of them: nobody may read them in the log of this request, nor of what comes of it.
  deps.redactor.add(literals.flatMap(({ text }) => [text, spoken(text)]))();
  const taken = existingSecretPaths(literals, section, deps);
  const homes = proposeReferences(
    literals.map(({ pointer }) => ({ adapter: section.id, pointer })),
    taken,
  );
  const placeOf = (pointer: string): string => placeInRecord(pointer, document, section.written.value);
  const errors = literals.flatMap(({ pointer, text }, at) => {
    const message = storageObjection(text) ?? storageProblem(homes[at], taken, deps);
    return message === undefined ? [] : [{ pointer: `/properties${placeOf(pointer)}`, message }];
  });
  if (errors.length > 0) return { errors };
  const references = literals.map(({ pointer }, at) => [placeOf(pointer), homes[at]?.text] as const);
  const fields = literals.map(({ text }, at) => [homes[at]?.field ?? '', new Secret(spoken(text))] as const);
  return {
    document: withValues(document, new Map(references)) as AdapterDocument,
    store: async () => {
      // One adapter has one secret.
      if (homes[0]) await deps.keep?.(homes[0].path, new Map(fields));
    },
  };
}

/**
 * The document with the references of its former state where it has an empty text for a secret: clients that read an
 * adapter to change it may have been shown none.
 */
export function copyReferences(
  document: AdapterDocument,
  previous: AdapterConfig | undefined,
): AdapterDocument {
  const changes = (previous?.written.secrets ?? []).flatMap((pointer) => {
    const text = valueAt(previous?.written.value, pointer);
    const place = placeInRecord(pointer, document, previous?.written.value);
    const isKept = typeof text === 'string' && isReference(text) && valueAt(document, place) === '';
    return isKept ? [[place, text] as const] : [];
  });
  return withValues(document, new Map(changes)) as AdapterDocument;
}

function literalsOf(document: AdapterDocument, { written, validate }: AdapterConfig): readonly Literal[] {
  const textAt = (pointer: string): string => {
    const value = valueAt(document, placeInRecord(pointer, document, written.value));
    return typeof value === 'string' ? value : '';
  };
  const { paths } = validate(structuredClone(written.value));
  // Where a file is named, someone may write what would stand in it.
  const keys = paths.filter((pointer) => textAt(pointer).includes('PRIVATE KEY-----'));
  return [...new Set([...written.secrets, ...keys])]
    .map((pointer) => ({ pointer, text: textAt(pointer) }))
    .filter(({ text }) => text !== '' && !isReference(text));
}

/** What is not written over: that to which a reference leads, but for those in whose place the literals stand. */
function existingSecretPaths(
  literals: readonly Literal[],
  { id, references: own }: AdapterConfig,
  { desired, mount }: SealDeps,
): ReadonlySet<string> {
  const replaced = new Set(literals.map(({ pointer }) => pointer));
  const previous = desired.adapters.flatMap((adapter) =>
    adapter.references.filter(({ pointer }) => adapter.id !== id || !replaced.has(pointer)),
  );
  const placed = [...own, ...desired.main.references, ...previous];
  const references = placed.map(({ reference }) => {
    const { field } = reference;
    // A pointer leads into a field.
    return field?.startsWith('/') ? { ...reference, field: pointerTokens(field)[0] ?? field } : reference;
  });
  return proposedPathsFor(references, mount);
}

/** What keeps a text from being a secret to be kept. */
function storageObjection(text: string): string | undefined {
  const parsed = parseReference(text);
  if (parsed.kind === 'fault') return `${parsed.message}. ${parsed.fix}`;
  const mark = platformMark(text);
  if (mark !== undefined)
    return `begins with "${mark}": the platform encoded it, and it is not decoded here. Send the value itself, or put it into Vault and write a reference.`;
  // In JSON it would come to Vault as another text.
  return /\p{Surrogate}/u.test(text) ? 'is not valid Unicode. Send it as UTF-8.' : undefined;
}

/** What keeps us from writing it. */
function storageProblem(
  home: ProposedPath | undefined,
  taken: ReadonlySet<string>,
  { keep }: SealDeps,
): string | undefined {
  const { path = '', text = '' } = home ?? {};
  if (!keep)
    return `is a secret in plain text. Put it into Vault and write its reference, for example ${text} ("gatehouse secrets migrate" proposes them for files); or have the operator set vault.writeLiterals.`;
  return taken.has(`${path}#`)
    ? `is a secret in plain text, and it cannot be written beside the others in "${path}", because a reference to it names no field. Name the field in that reference.`
    : undefined;
}

/** What a literal says, without its escape. */
function spoken(text: string): string {
  const parsed = parseReference(text);
  return parsed.kind === 'literal' ? parsed.text : text;
}
