/** Value of a placeholder. */
export type Value = string | number | Date;

/** Value of a placeholder that is written as a number, or that decides about a plural. */
export type Numeric = number;

/** A tag of a message. {@link rich} renders it, with a function that receives what is between the tags. */
export interface Tag {
  readonly tag: true;
}
