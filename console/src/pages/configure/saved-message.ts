import { valueAt } from '../../../../src/json/pointer.js';
import { textOf } from '../../text/text.js';

const text = textOf('configure');

/** The secret that keeps an adapter from starting. */
interface MissingSecret {
  /** Path below the mount of Vault. */
  readonly path: string;
  /** Field of the secret; undefined if the reference names none. */
  readonly field: string | undefined;
}

/** Cause of a start that failed because Vault has no such secret; its group is the pointer of the reference. */
const MISSING = /\bVAULT_NOT_FOUND\b.*? at (\/[^\s,.;]+)/;

/** Returns whether a missing secret is the cause of a failed start. */
export function isMissingSecret(cause: string | null): boolean {
  return MISSING.test(cause ?? '');
}

/**
 * Returns the secret whose absence is the cause of a failed start, from the pointer in the cause and the reference at
 * that pointer; undefined for another cause.
 */
export function missingSecretOf(cause: string | null, settings: unknown): MissingSecret | undefined {
  const pointer = MISSING.exec(cause ?? '')?.[1];
  const reference = pointer === undefined ? undefined : valueAt(settings, pointer);
  const found = typeof reference === 'string' ? /^\$VAULT_([^#]+)(?:#(.*))?$/s.exec(reference) : null;
  return found?.[1] === undefined ? undefined : { path: found[1], field: found[2] };
}

interface SavedTerms {
  readonly name: string;
  /** Message of the server. */
  readonly message: string;
  /** The settings as JSON. */
  readonly settings: string;
}

/** Returns what the page says of an adapter that was saved, but does not serve. */
export function savedMessage({ name, message, settings }: SavedTerms): string {
  const missing = missingSecretOf(message, JSON.parse(settings));
  if (missing) return text('savedWithoutSecret', { name, path: missing.path });
  return text('savedWithNote', { name, note: message.replace(/^Successfully \S+ .*?\.\s+(?=[A-Z])/s, '') });
}
