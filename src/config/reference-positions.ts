/**
 * Blocks of the main file that are read before Vault. References in the block `vault` have a fault of their
 * own.
 */
const READ_BEFORE_VAULT = ['/log', '/audit', '/server', '/auth/local', '/secrets'];

/** Parts of these blocks that are opened after Vault, and may be references. */
const OPENED_LAST =
  /^\/server\/tls\/(?:certFile|keyFile|clientCaFile|clientCrlFile)$|^\/auth\/local\/(?:users|clients)\//;

/** Returns true if a value of the main file is needed before Vault is read, so that it cannot be a reference. */
export function isReadBeforeVault(pointer: string): boolean {
  return READ_BEFORE_VAULT.some((block) => isWithin(pointer, block)) && !OPENED_LAST.test(pointer);
}

/** Returns true if a text of the main file at this pointer may be a reference to a secret. */
export function allowsReferenceInMain(pointer: string): boolean {
  return !isReadBeforeVault(pointer) && !isWithin(pointer, '/vault');
}

/** Returns true if a text of an adapter at this pointer may be a reference to a secret. */
export function allowsReferenceInAdapter(pointer: string): boolean {
  return pointer !== '/plugin';
}

function isWithin(pointer: string, block: string): boolean {
  return pointer === block || pointer.startsWith(`${block}/`);
}
