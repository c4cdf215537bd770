import type { Fault } from '../../core/fault.js';
import type { LocatedReference } from '../../vault/find-references.js';
import { fingerprintOf } from './fingerprint.js';
import { Handle } from './handle.js';
import type { ResolvedSection } from './resolve-sections.js';
import type { SnapshotInput } from './snapshot-input.js';

/** What a part is being made from. */
export interface BuildPlan {
  readonly resolved: ResolvedSection;
  readonly fingerprint: string;
  readonly references: readonly LocatedReference[];
  readonly redactor: SnapshotInput['redactor'];
}

/** A part of what was built, whose secrets are masked for as long as it is in use. */
export function createHandle<T>(value: T, making: BuildPlan, close: () => Promise<void>): Handle<T> {
  const { resolved, fingerprint, references, redactor } = making;
  const unmask = redactor.add(resolved.fromVault);
  return new Handle(value, { fingerprint, references }, async () => {
    unmask();
    await close();
  });
}

/** Fingerprint of the values that a part is made from, of what failed, and of the files with these pointers. */
export function sectionFingerprint(
  { failures, files }: ResolvedSection,
  values: readonly unknown[],
  isUsed: (pointer: string) => boolean = () => true,
): Promise<string> {
  const failed = failures.map(({ code, pointer }) => [code, pointer]);
  const used = [...files].filter(([pointer]) => isUsed(pointer)).map(([, file]) => file);
  return fingerprintOf([failed, ...values.map((value) => value ?? null)], used);
}

/** Faults in a few words. */
export function reasonOf(faults: readonly Fault[]): string {
  return faults.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
}
