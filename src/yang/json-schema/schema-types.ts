/** A JSON Schema, or a part of one, while it is being written. */
export type Schema = Readonly<Record<string, unknown>>;

export type Draft = '2020-12' | '07';

/** Which nodes a document may hold: configuration only, or state as well. */
export type Content = 'config' | 'all';

/** One thing that the schema cannot say, with the path of the node that says it. */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}
