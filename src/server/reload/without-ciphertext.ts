import type { Fault } from '../../core/fault.js';
import { pointerTo, pointerTokens } from '../../core/pointer.js';
import { isEncrypted } from '../../vault/reference.js';

/** The faults with every `$ENC` value that is the name of a member taken out of their pointers. */
export function withoutCiphertext(faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, pointer: masked(fault.pointer) }));
}

function masked(pointer: string): string {
  return pointerTokens(pointer).reduce(
    (path, name) => pointerTo(path, isEncrypted(name) ? '$ENC…' : name),
    '',
  );
}
