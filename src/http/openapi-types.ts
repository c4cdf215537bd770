import type { JsonSchema } from '../core/schema.js';

/** The subset of OpenAPI 3.1 that gatehouse writes (https://spec.openapis.org/oas/v3.1.0). */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly jsonSchemaDialect: string;
  readonly info: OpenApiInfo;
  readonly servers: readonly { readonly url: string }[];
  /** One tag per application. */
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  /** Operations by path template and method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: OpenApiComponents;
}

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contact: { readonly name: string };
  /** License with its SPDX identifier. */
  readonly license: { readonly name: string; readonly identifier: string };
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
  /** Methods and paths that replace a deprecated operation. */
  readonly 'x-replaced-by'?: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  /** By status, by range of statuses (`2XX`), or `default`. */
  readonly responses: Readonly<Record<string, OpenApiResponse | OpenApiReference>>;
  /** Alternatives, any of which is enough; empty if no token is needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** Roles that may call the operation, as configured. */
  readonly 'x-roles': readonly string[] | 'authenticated' | 'public';
  /** Name of the operation in the configuration, the same at all its paths: `<application>.<id>`. */
  readonly 'x-operation': string;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  /** True for a parameter that matches the rest of the path, with its slashes. */
  readonly 'x-rest'?: true;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader | OpenApiReference>>;
  readonly content?: OpenApiContent;
}

export interface OpenApiHeader {
  readonly description: string;
  /** True if every such response has the header. */
  readonly required?: true;
  readonly schema: JsonSchema;
}

/** Content by media type, without parameters. */
export type OpenApiContent = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>
>;

export interface OpenApiReference {
  readonly $ref: string;
}
