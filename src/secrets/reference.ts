/** Reference to a value in Vault or in a file: the secret, its version and its field. */
export interface Reference extends ReadOptions {
  /** `file`: the path is below `secrets.files.root`. Absent: Vault. */
  readonly store?: 'file';
  /** True if the path begins with the mount; false if it is relative to the configured mount. */
  readonly absolute: boolean;
  /**
   * Decoded path segments, at least one. No segment is `.` or `..` or contains a slash, a backslash or a
   * control character.
   */
  readonly segments: readonly string[];
  /**
   * Exact key, or an RFC 6901 pointer if it begins with `/`; null for the secret's only key, or for the whole text of a
   * file.
   */
  readonly field: string | null;
}

interface ReadOptions {
  /** Pinned version, from 1; null for the current version. */
  readonly version: number | null;
  readonly encoding: 'utf8' | 'base64';
}

/** Why a string is rejected. The message never quotes the string. */
export interface LexicalFault {
  readonly code: 'ENC_REJECTED' | 'VAULT_REF_SYNTAX' | 'VAULT_REF_FOREIGN' | 'FILE_REF_SYNTAX';
  readonly message: string;
  readonly fix: string;
}

/** Meaning of one string of a document. The text of a literal has its escape (`$$`) removed. */
export type Parsed =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | ({ readonly kind: 'fault' } & LexicalFault);

const MAX_REFERENCE_LENGTH = 1024;

// Texts that look like an attempt at a reference: any letter case, braces, leading white space.
const ENCRYPTED_PREFIX = /^\s*\$\{?enc/i;

const FOREIGN_PREFIX = /^\s*(?:\$\{vault|\$secret:\/\/|(?:\{|ref\+)?vault:\/\/)/i;

const REFERENCE_PREFIX = /^\s*\$(?:vault|file_|\{?secret_)/i;
const FILE_PREFIX = /^\s*\$file_/i;

const CANONICAL_FORM = /^\$(?<store>VAULT|FILE)_(?<path>[^?# ]*)(?:\?(?<params>[^# ]*))?(?:#(?<field>.*))?$/s;

const PLATFORM_FORM = /^\$(?:VAULT|SECRET)_(?<path>[^?# ]*) \$KEY_(?<field>[^?#]*)$/s;

/**
 * Classifies a string as a reference, a literal or a fault. A reference is
 * `$VAULT_<path>[?version=N&encoding=base64][#<field>]`, the platform's `$SECRET_<path> $KEY_<field>`, or
 * `$FILE_<path>[?encoding=base64][#<field>]`. Only a whole string can be a reference. Pure; never throws.
 */
export function parseReference(text: string): Parsed {
  if (text.startsWith('$$') && isReserved(text.replace(/^\$+/, '$'))) {
    return { kind: 'literal', text: text.slice(1) };
  }
  if (isEncrypted(text)) return encryptedFault(text);
  if (FOREIGN_PREFIX.test(text))
    return referenceFault('VAULT_REF_FOREIGN', 'is a reference in the syntax of another tool');
  if (!REFERENCE_PREFIX.test(text)) return { kind: 'literal', text };
  const parsed = parseAttempt(text);
  if ('value' in parsed) return { kind: 'reference', reference: parsed.value };
  return FILE_PREFIX.test(text)
    ? fileReferenceFault(parsed.fault)
    : referenceFault('VAULT_REF_SYNTAX', parsed.fault);
}

/** Returns true if the string is a well-formed reference. */
export function isReference(text: string): boolean {
  return parseReference(text).kind === 'reference';
}

/** Returns true if the string (or member name) is a value encrypted by the platform, in any letter case. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED_PREFIX.test(text);
}

/** Prefix of a value that the platform's adapters encoded (`{code}`: base64) or encrypted. */
export type PlatformWatermark = '{code}' | '{crypt}';

/** Returns the prefix that a text begins with, in any letter case; undefined for any other text. */
export function platformMark(text: string): PlatformWatermark | undefined {
  const mark = /^\s*\{(code|crypt)\}/i.exec(text)?.[1];
  return mark === undefined ? undefined : mark.toLowerCase() === 'code' ? '{code}' : '{crypt}';
}

/** Returns the canonical text of a reference. {@link parseReference} parses it to the same reference. */
export function formatReference(reference: Reference): string {
  const { version, encoding, field } = reference;
  const params = [
    ...(version === null ? [] : [`version=${version}`]),
    ...(encoding === 'utf8' ? [] : [`encoding=${encoding}`]),
  ].join('&');
  const name = field === null ? '' : `#${field.replace(/[%#\s]/g, encodeURIComponent)}`;
  const prefix = reference.store === 'file' ? '$FILE_' : '$VAULT_';
  return `${prefix}${pathText(reference)}${params && `?${params}`}${name}`;
}

export function pathText({ absolute, segments }: Reference): string {
  return `${absolute ? '/' : ''}${segments.map(encodeURIComponent).join('/')}`;
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

function referenceFault(code: LexicalFault['code'], fault: string): Parsed {
  return {
    kind: 'fault',
    code,
    message: `The reference ${fault}`,
    fix: 'Write "$VAULT_<path>#<field>", for example "$VAULT_adapters/nso1#password"; a text that is meant literally begins with "$$".',
  };
}

function fileReferenceFault(fault: string): Parsed {
  return {
    kind: 'fault',
    code: 'FILE_REF_SYNTAX',
    message: `The reference ${fault}`,
    fix: 'Write "$FILE_<path>", with the path below secrets.files.root, for example "$FILE_adapters/nso1/password"; a text that is meant literally begins with "$$".',
  };
}

function isReserved(text: string): boolean {
  return isEncrypted(text) || FOREIGN_PREFIX.test(text) || REFERENCE_PREFIX.test(text);
}

function parseAttempt(text: string): ReferencePart<Reference> {
  if (text.length > MAX_REFERENCE_LENGTH)
    return { fault: `is longer than ${MAX_REFERENCE_LENGTH} characters` };
  if (text !== text.trim()) return { fault: 'has white space around it' };
  const platform = PLATFORM_FORM.exec(text)?.groups;
  if (platform) return buildReference(platform, { value: platform['field'] ?? '' });
  const canonical = CANONICAL_FORM.exec(text)?.groups;
  if (!canonical) return { fault: syntaxFault(text) };
  const written = canonical['field'];
  return buildReference(canonical, written === undefined ? { value: null } : parseFieldPart(written));
}

function syntaxFault(text: string): string {
  if (text.startsWith('$SECRET_'))
    return 'begins with "$SECRET_" but does not continue with "<path> $KEY_<field>"';
  if (FILE_PREFIX.test(text) && !text.startsWith('$FILE_')) return 'does not begin with "$FILE_" exactly';
  if (!FILE_PREFIX.test(text) && !text.startsWith('$VAULT_')) return 'does not begin with "$VAULT_" exactly';
  if (text.includes(' $KEY_')) return 'has both " $KEY_" and a "?" or "#"';
  return 'has a space before its field; in a path write "%20"';
}

function buildReference(
  groups: Record<string, string | undefined>,
  named: ReferencePart<string | null>,
): ReferencePart<Reference> {
  return groups['store'] === 'FILE' ? buildFileReference(groups, named) : buildVaultReference(groups, named);
}

function buildVaultReference(
  groups: Record<string, string | undefined>,
  named: ReferencePart<string | null>,
): ReferencePart<Reference> {
  const written = groups['path'] ?? '';
  const absolute = written.startsWith('/');
  const path = parsePath(absolute ? written.slice(1) : written);
  if ('fault' in path) return path;
  if (absolute && path.value.length === 1) return { fault: 'names a mount but no secret in it' };
  if (absolute && isVaultApiPath(path.value)) return { fault: "leads to Vault's own API, not to a secret" };
  const options = parseParams(groups['params']);
  if ('fault' in options) return options;
  if ('fault' in named) return named;
  const field = named.value;
  const fault = field === null ? undefined : fieldFault(field);
  if (fault !== undefined) return { fault };
  return { value: { absolute, segments: path.value, ...options.value, field } };
}

/**
 * Builds a reference to a file. No segment begins with `..`: Kubernetes replaces such folders at each change, and they
 * would be second names of files that are reserved.
 */
function buildFileReference(
  groups: Record<string, string | undefined>,
  named: ReferencePart<string | null>,
): ReferencePart<Reference> {
  const path = parseSegments(groups['path'] ?? '');
  if ('fault' in path) return path;
  if (path.value.some((segment) => segment.startsWith('..')))
    return { fault: 'has a path segment that begins with ".."; name the file in the folder of the mount' };
  const options = parseParams(groups['params']);
  if ('fault' in options) return options;
  if (options.value.version !== null) return { fault: 'has a version, which a file does not have' };
  if ('fault' in named) return named;
  const fault = named.value === null ? undefined : fieldFault(named.value);
  if (fault !== undefined) return { fault };
  return {
    value: { store: 'file', absolute: false, segments: path.value, ...options.value, field: named.value },
  };
}

/**
 * Returns true if the path leads to Vault's own API. No secrets engine is mounted there, and the token lookup
 * returns the token of the gateway. The lookup path can follow a namespace.
 */
function isVaultApiPath(segments: readonly string[]): boolean {
  return ['auth', 'sys'].includes(segments[0] ?? '') || segments.slice(-3).join('/') === TOKEN_LOOK_UP;
}

const TOKEN_LOOK_UP = 'auth/token/lookup-self';

function fieldFault(field: string): string | undefined {
  if (field === '') return 'has an empty field name';
  if (/\p{Cc}/u.test(field)) return 'has a control character in its field name';
  if (field.startsWith('/') && /~(?![01])/.test(field)) return 'has a field that is not a JSON pointer';
  return undefined;
}

/** A part of a reference, or its fault in words that continue "The reference". */
type ReferencePart<T> = { readonly value: T } | { readonly fault: string };

// Characters of one path segment (RFC 3986).
const PCHARS = /^(?:[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*$/;

/** Returns the decoded segments of a path in Vault without its leading slash. */
export function parsePath(path: string): ReferencePart<readonly string[]> {
  const parsed = parseSegments(path);
  if ('value' in parsed && parsed.value.at(-1)?.endsWith('.'))
    return { fault: 'has a path that ends in a dot, which Vault does not serve' };
  return parsed;
}

function parseSegments(path: string): ReferencePart<readonly string[]> {
  const written = path.split('/');
  if (written.includes('')) return { fault: 'has an empty path segment' };
  if (!written.every((segment) => PCHARS.test(segment)))
    return { fault: 'has a character in its path that must be percent-encoded' };
  const segments = written.map(percentDecoded);
  if (!segments.every((segment) => segment !== undefined))
    return { fault: 'has a percent-escape in its path that is not UTF-8' };
  if (segments.some((segment) => segment === '.' || segment === '..' || /[/\\\p{Cc}]/u.test(segment)))
    return {
      fault: 'has a path segment that would lead elsewhere (".", "..", "/", "\\" or a control character)',
    };
  return { value: segments };
}

/** Parses the text between `?` and `#`: `version` and `encoding`, each at most once. */
function parseParams(params: string | undefined): ReferencePart<ReadOptions> {
  let options: ReadOptions = { version: null, encoding: 'utf8' };
  if (params === undefined) return { value: options };
  const seen = new Set<string>();
  for (const param of params.split('&')) {
    const [name = '', value = ''] = param.split('=', 2);
    const option = param === `${name}=${value}` ? parseParam(name, value) : undefined;
    if (!option)
      return { fault: 'has a parameter other than "version=<1 or more>" and "encoding=utf8|base64"' };
    if (seen.has(name)) return { fault: `has the parameter "${name}" twice` };
    seen.add(name);
    options = { ...options, ...option };
  }
  return { value: options };
}

/**
 * Parses the key or pointer after `#`. It is percent-decoded once, like the path, so that a key can contain
 * any character.
 */
function parseFieldPart(field: string): ReferencePart<string> {
  if (field.includes('#')) return { fault: 'has a second "#"; in a field name write "%23"' };
  const decoded = percentDecoded(field);
  return decoded === undefined
    ? { fault: 'has a "%" in its field name that is not an escape; write "%25"' }
    : { value: decoded };
}

function parseParam(name: string, value: string): Partial<ReadOptions> | undefined {
  if (name === 'version' && /^\d{1,10}$/.test(value) && Number(value) >= 1) return { version: Number(value) };
  if (name === 'encoding' && (value === 'utf8' || value === 'base64')) return { encoding: value };
  return undefined;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
