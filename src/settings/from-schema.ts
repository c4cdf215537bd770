import type { Secret } from '../core/secret.js';

/**
 * Type of the values that a schema accepts, after defaults were filled in and texts with `x-secret` became secrets. Keywords that
 * only restrict values, such as `pattern` and `maximum`, do not change the type. A schema without literal types has the type
 * unknown: write it `as const`, or with the functions of `schema-parts.ts`.
 */
export type FromSchema<S> = S extends { readonly [valueType]: infer T }
  ? T
  : S extends { readonly 'x-secret': true }
    ? Secret
    : S extends { readonly const: infer Value }
      ? Value
      : S extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : S extends { readonly properties: infer P; readonly type: infer T }
          ? | FromObject<P, S>
            | (T extends readonly unknown[] ? FromType<Exclude<T[number], 'object'>, S> : never)
          : S extends
                | { readonly oneOf: readonly (infer Branch)[] }
                | { readonly anyOf: readonly (infer Branch)[] }
            ? FromSchema<Branch>
            : S extends { readonly type: readonly (infer T)[] }
              ? FromType<T, S>
              : S extends { readonly type: infer T }
                ? FromType<T, S>
                : unknown;

declare const valueType: unique symbol;

/** A schema whose values have the type `T`, which its keywords do not say. */
export type SchemaOf<T, S> = S & { readonly [valueType]: T };

type FromType<T, S> = T extends 'string'
  ? string
  : T extends 'integer' | 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? readonly (S extends { readonly items: infer Item } ? FromSchema<Item> : unknown)[]
          : Readonly<
              Record<
                string,
                S extends { readonly additionalProperties: infer Value } ? FromSchema<Value> : unknown
              >
            >;

/** Type of an object with these properties. A property is present if it is required or has a default. */
type FromObject<P, S> = {
  readonly [K in keyof P as K extends Present<P, S> ? K : never]: FromSchema<P[K]>;
} & {
  readonly [K in keyof P as K extends Present<P, S> ? never : K]?: FromSchema<P[K]>;
};

type Present<P, S> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P];
