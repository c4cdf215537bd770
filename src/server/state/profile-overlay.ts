import { isDeepStrictEqual } from 'node:util';
import { OVERLAID_BLOCKS, validateOverlay } from '../../config/profile-schema.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { CompileSchema } from '../../core/schema.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import { findReferences } from '../../secrets/find-references.js';
import { type ConfigSection, locateFault, withoutCiphertext, type Desired } from './configuration.js';

/** Overlays the blocks of the active profile on the main file. A value of the profile replaces a reference of the file. */
export function overlay(main: ConfigSection, profile: NamedRecord | undefined): ConfigSection {
  const { value: before } = main.written;
  if (!profile || !isJsonObject(before)) return main;
  const blocks = Object.entries(blocksOf(profile.document)).map(([key, block]) => {
    const base = before[key];
    if (Array.isArray(block)) return [key, block] as const;
    return [key, isJsonObject(block) ? { ...(isJsonObject(base) && base), ...block } : base] as const;
  });
  const value = { ...before, ...Object.fromEntries(blocks) };
  const isKept = (pointer: string): boolean => valueAt(value, pointer) === valueAt(before, pointer);
  return {
    ...main,
    references: main.references.filter(({ pointer }) => isKept(pointer)),
    literals: new Map([...main.literals].filter(([pointer]) => isKept(pointer))),
    written: { ...main.written, value },
  };
}

/** Returns the faults of the blocks of a profile. */
export function overlayFaults({ name, document }: NamedRecord, compile: CompileSchema): readonly Fault[] {
  const blocks = blocksOf(document);
  const { violations } = validateOverlay(structuredClone(blocks), compile);
  const { references, literals, faults } = findReferences(blocks);
  const secret = [...references, ...literals, ...faults];
  return withoutCiphertext([
    ...violations.map(({ pointer, message }) => profileFault(name, { pointer, code: 'schema', message })),
    ...secret.map(({ pointer }) =>
      profileFault(name, { pointer, code: 'reference', message: REFERENCE_IN_PROFILE }),
    ),
  ]);
}

/** References in a profile are not resolved, and their text must never be used as a value. */
const REFERENCE_IN_PROFILE = 'is or resembles a reference to a secret, which a profile cannot contain';

/** Locates a fault of the overlaid main file: in the profile if its value comes from the profile, else in the file. */
export function overlaidFault({ files, main, state }: Desired, fault: LocatedFault): Fault {
  const valueIn = ({ written }: ConfigSection): unknown => valueAt(written.value, fault.pointer);
  if (!state.profile || isDeepStrictEqual(valueIn(main), valueIn(files.main)))
    return locateFault(main.written, fault);
  return profileFault(state.profile.name, fault);
}

function profileFault(name: string, fault: Pick<Fault, 'pointer' | 'code' | 'message'>): Fault {
  return {
    ...fault,
    file: `profile "${name}"`,
    line: 0,
    column: 0,
    fix: 'Correct the profile, or deactivate it: gatehouse profile --none.',
  };
}

function blocksOf(document: NamedRecord['document']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    OVERLAID_BLOCKS.flatMap((key) => (key in document ? [[key, document[key]]] : [])),
  );
}
