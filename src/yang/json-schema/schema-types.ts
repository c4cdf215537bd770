/** JSON Schema, or a part of it, while it is being written. */
export type Schema = Readonly<Record<string, unknown>>;

export type Draft = '2020-12' | '07';

/** Nodes that a document may contain: configuration only, or state as well. */
export type Content = 'config' | 'all';

/** Fact that the schema cannot express, with the path of its node. */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}
