import type { ReferenceSyntax, Written } from '../../config/check-written.js';
import { type Fault, faultAt, type LocatedFault } from '../../core/fault.js';
import type { Validator } from '../../core/schema.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';
import { sharedIfEmpty } from '../../lib/shared-if-empty.js';
import { findReferences, type LocatedReference } from '../../secrets/find-references.js';
import { isEncrypted, isReference, parseReference } from '../../secrets/reference.js';

/** A section of the configuration as written: the main file, or one adapter. Pointers are relative to its value. */
export interface ConfigSection {
  /** The adapterId; empty for the main file. Prefix of the pointers if there are several sections. */
  readonly name: string;
  readonly written: Written;
  readonly references: readonly LocatedReference[];
  readonly validate: Validator;
  /** Unescaped literals by pointer, for example `$ENC...` for the text `$$ENC...`. */
  readonly literals: ReadonlyMap<string, string>;
}

/** Creates a section with its references. `$ENC` values and malformed references are faults. */
export function toConfigSection(
  name: string,
  written: Written,
  validate: Validator,
): { section: ConfigSection; faults: readonly Fault[] } {
  const { references, literals, faults } = findReferences(written.value);
  return {
    section: {
      name,
      written,
      validate,
      references,
      literals: sharedIfEmpty(new Map(literals.map(({ pointer, text }) => [pointer, text]))),
    },
    faults: faults.map((fault) => locateFault(written, fault)),
  };
}

/** Adds file, line and column to a fault in a section. */
export function locateFault(written: Written, { pointer, code, message, fix }: LocatedFault): Fault {
  return faultAt(written.document, written.at + pointer, { code, message, fix });
}

/** The syntax of references, which `src/config` needs and `src/secrets` defines. */
export const referenceSyntax: ReferenceSyntax = {
  isReference,
  isPlain(text) {
    const parsed = parseReference(text);
    return parsed.kind === 'literal' && parsed.text === text;
  },
};

/** Masks `$ENC` values that occur as member names in the pointers of faults. */
export function withoutCiphertext(faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, pointer: withMaskedNames(fault.pointer) }));
}

function withMaskedNames(pointer: string): string {
  return pointerTokens(pointer).reduce(
    (path, name) => pointerTo(path, isEncrypted(name) ? '$ENC…' : name),
    '',
  );
}
