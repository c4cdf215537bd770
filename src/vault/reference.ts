import {
  parseField,
  parseParams,
  parsePath,
  type ReferencePart,
  type ReadOptions,
} from './reference-parts.js';

/** A place in Vault: which secret, which version of it, which field. */
export interface Reference extends ReadOptions {
  /** True: the path begins with the mount. False: it counts from the configured mount. */
  readonly absolute: boolean;
  /** Decoded path segments, at least one; none is `.` or `..` or holds a slash, a backslash or a control character. */
  readonly segments: readonly string[];
  /** Exact key, or an RFC 6901 pointer when it begins with `/`; null when the secret's only key is meant. */
  readonly field: string | null;
}

/** A text that must not stand where it stands. The message never repeats the text. */
export interface LexicalFault {
  readonly code: 'ENC_REJECTED' | 'VAULT_REF_SYNTAX' | 'VAULT_REF_FOREIGN';
  readonly message: string;
  readonly fix: string;
}

/** What one string of a document means. The text of a literal has its escape (`$$`) removed. */
export type Parsed =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | ({ readonly kind: 'fault' } & LexicalFault);

const MAX_LENGTH = 1024;

// What only an attempt at a reference looks like: any letter case, braces, white space before it.
const ENCRYPTED = /^\s*\$\{?enc/i;
const FOREIGN = /^\s*(?:\$\{vault|\$secret:\/\/|(?:\{|ref\+)?vault:\/\/)/i;
const ATTEMPT = /^\s*\$(?:vault|\{?secret_)/i;

const CANONICAL = /^\$VAULT_(?<path>[^?# ]*)(?:\?(?<params>[^# ]*))?(?:#(?<field>.*))?$/s;
const PLATFORM = /^\$(?:VAULT|SECRET)_(?<path>[^?# ]*) \$KEY_(?<field>[^?#]*)$/s;

/**
 * Says what a string means: a reference, `$VAULT_<path>[?version=N&encoding=base64][#<field>]` or the platform's
 * `$SECRET_<path> $KEY_<field>`; a literal; or a fault. Only a whole string is a reference. Pure, never throws.
 */
export function parseReference(text: string): Parsed {
  if (text.startsWith('$$') && isReserved(text.replace(/^\$+/, '$'))) {
    return { kind: 'literal', text: text.slice(1) };
  }
  if (isEncrypted(text)) return encryptedFault(text);
  if (FOREIGN.test(text)) return refuse('VAULT_REF_FOREIGN', "is another tool's way to name a secret");
  if (!ATTEMPT.test(text)) return { kind: 'literal', text };
  const parsed = parseAttempt(text);
  return 'wrong' in parsed
    ? refuse('VAULT_REF_SYNTAX', parsed.wrong)
    : { kind: 'reference', reference: parsed.value };
}

/** True when the string is a well-formed reference. */
export function isReference(text: string): boolean {
  return parseReference(text).kind === 'reference';
}

/** True when the string (or member name) is a value encrypted by the platform, in any letter case. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

/** The canonical text of a reference; {@link parseReference} leads back to the reference. */
export function formatReference(reference: Reference): string {
  const { absolute, segments, version, encoding, field } = reference;
  const params = [
    ...(version === null ? [] : [`version=${version}`]),
    ...(encoding === 'utf8' ? [] : [`encoding=${encoding}`]),
  ].join('&');
  const path = segments.map(encodeURIComponent).join('/');
  const name = field === null ? '' : `#${field.replace(/[%#\s]/g, encodeURIComponent)}`;
  return `$VAULT_${absolute ? '/' : ''}${path}${params && `?${params}`}${name}`;
}

/** The refusal of a value encrypted by the platform; of the value it shows the length alone. */
export function encryptedFault(text: string): { readonly kind: 'fault' } & LexicalFault {
  return {
    kind: 'fault',
    code: 'ENC_REJECTED',
    message: `"$ENC…(${text.trim().length} chars)" is a value encrypted by the platform, and no key for it exists here`,
    fix: 'Store the secret in Vault and write "$VAULT_<path>#<field>" instead ("gatehouse secrets migrate" proposes it); a text that is meant literally begins with "$$".',
  };
}

function refuse(code: LexicalFault['code'], complaint: string): Parsed {
  return {
    kind: 'fault',
    code,
    message: `The reference ${complaint}`,
    fix: 'Write "$VAULT_<path>#<field>", for example "$VAULT_adapters/nso1#password"; a text that is meant literally begins with "$$".',
  };
}

function isReserved(text: string): boolean {
  return isEncrypted(text) || FOREIGN.test(text) || ATTEMPT.test(text);
}

function parseAttempt(text: string): ReferencePart<Reference> {
  if (text.length > MAX_LENGTH) return { wrong: `is longer than ${MAX_LENGTH} characters` };
  if (text !== text.trim()) return { wrong: 'has white space around it' };
  const platform = PLATFORM.exec(text)?.groups;
  if (platform) return assemble(platform, { value: platform['field'] ?? '' });
  const canonical = CANONICAL.exec(text)?.groups;
  if (!canonical) return { wrong: complaint(text) };
  const written = canonical['field'];
  return assemble(canonical, written === undefined ? { value: null } : parseField(written));
}

function complaint(text: string): string {
  if (text.startsWith('$SECRET_'))
    return 'begins with "$SECRET_" but does not go on as "<path> $KEY_<field>"';
  if (!text.startsWith('$VAULT_')) return 'does not begin with "$VAULT_" exactly';
  if (text.includes(' $KEY_')) return 'has both " $KEY_" and a "?" or "#"';
  return 'has a space before its field; in a path write "%20"';
}

function assemble(
  groups: Record<string, string | undefined>,
  named: ReferencePart<string | null>,
): ReferencePart<Reference> {
  const written = groups['path'] ?? '';
  const absolute = written.startsWith('/');
  const path = parsePath(absolute ? written.slice(1) : written);
  if ('wrong' in path) return path;
  if (absolute && path.value.length === 1) return { wrong: 'names a mount but no secret in it' };
  if (absolute && isVaultItself(path.value))
    return { wrong: "leads to Vault's own affairs, not to a secret" };
  const options = parseParams(groups['params']);
  if ('wrong' in options) return options;
  if ('wrong' in named) return named;
  const field = named.value;
  const wrong = field === null ? undefined : fieldComplaint(field);
  if (wrong !== undefined) return { wrong };
  return { value: { absolute, segments: path.value, ...options.value, field } };
}

/** No engine is mounted there, and what answers is the token that we ask with. It may stand below a namespace. */
function isVaultItself(segments: readonly string[]): boolean {
  return ['auth', 'sys'].includes(segments[0] ?? '') || segments.slice(-3).join('/') === TOKEN_LOOK_UP;
}

const TOKEN_LOOK_UP = 'auth/token/lookup-self';

function fieldComplaint(field: string): string | undefined {
  if (field === '') return 'has an empty field name';
  if (/\p{Cc}/u.test(field)) return 'has a control character in its field name';
  if (field.startsWith('/') && /~(?![01])/.test(field)) return 'has a field that is not a JSON pointer';
  return undefined;
}
