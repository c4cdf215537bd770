/** Value of a placeholder. */
export type Value = string | number | Date;

/** A tag of a message. {@link rich} renders it, with a function that receives what is between the tags. */
export interface Tag {
  readonly tag: true;
}
