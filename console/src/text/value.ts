/** Value of a placeholder. A number needs a placeholder with a format: `{count, number}`. */
export type Value = string | Date;

/** A tag of a message. {@link rich} renders it, with a function that receives what is between the tags. */
export interface Tag {
  readonly tag: true;
}
