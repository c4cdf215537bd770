import type { OpenApiOperation } from '../core/openapi.js';
import type { DescribedOperation } from '../core/operation.js';

/** One operation at one of its paths, as the API description has it. */
export interface Entry extends DescribedOperation {
  readonly path: string;
  /** Unique in the description. */
  readonly operationId: string;
  /** Name under which the schemas of all its paths stand. */
  readonly schemaName: string;
  /** Who may call it now. */
  readonly admitted: OpenApiOperation['x-roles'];
  /** True when it is deprecated at the release that is described. */
  readonly isOld: boolean;
}

/** Name of the application that an operation belongs to. */
export function applicationOf({ name }: DescribedOperation): string {
  return name.slice(0, name.indexOf('.'));
}
