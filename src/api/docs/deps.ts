import type { OpenApiDocument } from '../../core/openapi.js';

/** What the documentation may touch. */
export interface DocumentationDeps {
  /** The API as it is now; the same object until something in it changes. */
  readonly describeApi: () => OpenApiDocument;
}
