import type { JsonSchema } from './schema.js';

/** What this house writes of an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly jsonSchemaDialect: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** One for each application. */
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  /** Operations by path template and method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: OpenApiComponents;
}

export interface OpenApiComponents {
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly headers: Readonly<Record<string, OpenApiHeader>>;
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** One operation at one of its paths. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  /** Release in which a deprecated operation is removed. */
  readonly 'x-removed-in'?: string;
  /** Methods and paths in the place of a deprecated operation. */
  readonly 'x-replaced-by'?: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  /** By status, by range of statuses (`2XX`), or `default`. */
  readonly responses: Readonly<Record<string, OpenApiResponse | OpenApiReference>>;
  /** Any one of these is enough; empty when no token is needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** Who may call, as configured. */
  readonly 'x-roles': readonly string[] | 'authenticated' | 'public';
  /** Name of the operation in the configuration, the same at all its paths: `<application>.<id>`. */
  readonly 'x-operation': string;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  /** True for a parameter that is the rest of the path, with its slashes. */
  readonly 'x-rest'?: true;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader | OpenApiReference>>;
  readonly content?: OpenApiContent;
}

export interface OpenApiHeader {
  readonly description: string;
  /** True when every such answer has it. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

/** By media type, without parameters. */
export type OpenApiContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

export interface OpenApiReference {
  readonly $ref: string;
}
