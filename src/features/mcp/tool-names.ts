import { createHash } from 'node:crypto';

/** Names that every client accepts; several refuse the dots that the protocol admits. */
const MAX_LENGTH = 64;
/** Maximum length of the part of the adapter. */
const MAX_PREFIX = 24;
/** Separates the adapter from its method. */
const SEPARATOR = '__';

export function toolPrefix(adapterId: string): string {
  const isPlain = !adapterId.includes(SEPARATOR) && !adapterId.endsWith('_');
  return (isPlain ? plainName(adapterId, MAX_PREFIX) : shortName(adapterId, MAX_PREFIX)) + SEPARATOR;
}

/**
 * Returns the name of the tool of a method. A longer name, or one of other characters, is cut and ends with a digest: two methods
 * have the same tool only if the name of one was chosen to clash.
 */
export function toolName(adapterId: string, method: string): string {
  const prefix = toolPrefix(adapterId);
  return prefix + plainName(method, MAX_LENGTH - prefix.length);
}

function plainName(name: string, maxLength: number): string {
  return /^[\w-]+$/.test(name) && name.length <= maxLength ? name : shortName(name, maxLength);
}

/** Number of hexadecimal digits of a digest. */
const DIGITS = 8;

function shortName(name: string, maxLength: number): string {
  const start = name.slice(0, maxLength - DIGITS - 1).replaceAll(/[^\w-]/g, '_');
  return `${start}_${createHash('sha256').update(name).digest('hex').slice(0, DIGITS)}`;
}
