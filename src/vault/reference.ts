import {
  parseField,
  parseParams,
  parsePath,
  type ReferencePart,
  type ReadOptions,
} from './reference-parts.js';

/** Reference to a value in Vault: the secret, its version and its field. */
export interface Reference extends ReadOptions {
  /** True if the path begins with the mount; false if it is relative to the configured mount. */
  readonly absolute: boolean;
  /**
   * Decoded path segments, at least one. No segment is `.` or `..` or contains a slash, a backslash or a
   * control character.
   */
  readonly segments: readonly string[];
  /** Exact key, or an RFC 6901 pointer if it begins with `/`; null for the secret's only key. */
  readonly field: string | null;
}

/** Why a string is rejected. The message never quotes the string. */
export interface LexicalFault {
  readonly code: 'ENC_REJECTED' | 'VAULT_REF_SYNTAX' | 'VAULT_REF_FOREIGN';
  readonly message: string;
  readonly fix: string;
}

/** Meaning of one string of a document. The text of a literal has its escape (`$$`) removed. */
export type Parsed =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | ({ readonly kind: 'fault' } & LexicalFault);

const MAX_LENGTH = 1024;

// Texts that look like an attempt at a reference: any letter case, braces, leading white space.
const ENCRYPTED = /^\s*\$\{?enc/i;
const FOREIGN = /^\s*(?:\$\{vault|\$secret:\/\/|(?:\{|ref\+)?vault:\/\/)/i;
const ATTEMPT = /^\s*\$(?:vault|\{?secret_)/i;

const CANONICAL = /^\$VAULT_(?<path>[^?# ]*)(?:\?(?<params>[^# ]*))?(?:#(?<field>.*))?$/s;
const PLATFORM = /^\$(?:VAULT|SECRET)_(?<path>[^?# ]*) \$KEY_(?<field>[^?#]*)$/s;

/**
 * Classifies a string as a reference, a literal or a fault. A reference is
 * `$VAULT_<path>[?version=N&encoding=base64][#<field>]` or the platform's `$SECRET_<path> $KEY_<field>`. Only
 * a whole string can be a reference. Pure; never throws.
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

/** Returns true if the string is a well-formed reference. */
export function isReference(text: string): boolean {
  return parseReference(text).kind === 'reference';
}

/** Returns true if the string (or member name) is a value encrypted by the platform, in any letter case. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

/** Returns the canonical text of a reference. {@link parseReference} parses it to the same reference. */
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

/** Creates the fault for a value encrypted by the platform. Shows only the length of the value. */
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

/**
 * Returns true if the path leads to Vault's own API. No secrets engine is mounted there, and the token lookup
 * returns the token of the gateway. The lookup path can follow a namespace.
 */
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
