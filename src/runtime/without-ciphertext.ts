import type { Fault } from '../domain/fault.js';
import { pointerTo, pointerTokens } from '../domain/pointer.js';
import { isEncrypted } from '../secrets/reference.js';

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
