/** A fault of the settings that this room was given; the pointer (RFC 6901) counts from what was handed in. Never holds a value. */
export interface PlacedFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  /** What to do next, in one sentence. */
  readonly fix: string;
}
