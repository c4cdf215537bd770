import type { OpenApiDocument } from '../../core/openapi.js';

/** Dependencies of the documentation. */
export interface DocumentationDeps {
  /** Returns the current API description; the same object until the description changes. */
  readonly describeApi: () => OpenApiDocument;
}
