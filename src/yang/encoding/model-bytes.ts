import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { CompilePattern } from '../document/value-reader.js';
import type { InstanceModel } from './instance-model.js';
import type { PackedModel } from './packed-model.js';
import { unpackModel } from './unpack-model.js';

/**
 * Compiled modules of a server as bytes. A process that hands them to threads, which share them, never has objects that a server
 * decides about. Equal models have equal digests.
 */
export interface ModelBytes {
  readonly digest: string;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** Writes a model as bytes. */
export function modelToBytes(model: PackedModel): ModelBytes {
  const serialized = serialize(model);
  const bytes = new Uint8Array(new SharedArrayBuffer(serialized.length));
  bytes.set(serialized);
  return { digest: createHash('sha256').update(serialized).digest('base64'), bytes };
}

/** Prepares a model that {@link modelToBytes} has written. */
export function modelOfBytes({ bytes }: ModelBytes, compilePattern: CompilePattern): InstanceModel {
  return unpackModel(deserialize(Buffer.from(bytes)) as PackedModel, compilePattern);
}
