import { type LocatedString, pointerTo, pointerTokens, stringsOf } from '../core/pointer.js';
import {
  encryptedFault,
  isEncrypted,
  type LexicalFault,
  parseReference,
  type Reference,
} from './reference.js';

/** A reference and its pointer (RFC 6901). */
export interface LocatedReference {
  readonly pointer: string;
  readonly reference: Reference;
}

export interface LocatedLexicalFault extends LexicalFault {
  readonly pointer: string;
}

/** References, escaped literals and faults of a document. */
export interface Findings {
  readonly references: readonly LocatedReference[];
  /** Escaped strings (`$$VAULT_...`) with the text that replaces them. */
  readonly literals: readonly LocatedString[];
  /** All faults, so that one run reports everything. */
  readonly faults: readonly LocatedLexicalFault[];
}

/**
 * Finds the references in a document of plain JSON values. Member names are not references. A member name
 * that is an encrypted value is reported at its object, because a pointer to the member would print the
 * value.
 */
export function findReferences(value: unknown, pointer = ''): Findings {
  const references: LocatedReference[] = [];
  const literals: LocatedString[] = [];
  const faults = [...encryptedNameFaults(value, pointer)];
  for (const located of stringsOf(value, pointer)) {
    if (pointerTokens(located.pointer).some(isEncrypted)) continue;
    const parsed = parseReference(located.text);
    if (parsed.kind === 'reference')
      references.push({ pointer: located.pointer, reference: parsed.reference });
    else if (parsed.kind === 'fault') faults.push(locateFault(located.pointer, parsed));
    else if (parsed.text !== located.text) literals.push({ pointer: located.pointer, text: parsed.text });
  }
  return { references, literals, faults };
}

function encryptedNameFaults(value: unknown, pointer: string): readonly LocatedLexicalFault[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isEncrypted(name)
      ? [locateFault(pointer, encryptedFault(name))]
      : encryptedNameFaults(member, pointerTo(pointer, name)),
  );
}

function locateFault(pointer: string, { code, message, fix }: LexicalFault): LocatedLexicalFault {
  return { pointer, code, message, fix };
}
