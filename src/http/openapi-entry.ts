import type { OpenApiOperation } from '../core/openapi.js';
import type { DescribedOperation } from '../core/operation.js';

/** An operation at one of its paths, for the API description. */
export interface Entry extends DescribedOperation {
  readonly path: string;
  /** Unique in the description. */
  readonly operationId: string;
  /** Name of the operation's schemas, shared by all its paths. */
  readonly schemaName: string;
  /** Roles that may currently call the operation. */
  readonly admitted: OpenApiOperation['x-roles'];
  /** True if the operation is deprecated in the described release. */
  readonly isOld: boolean;
}

/** Returns the name of the application that an operation belongs to. */
export function applicationOf({ name }: DescribedOperation): string {
  return name.slice(0, name.indexOf('.'));
}
