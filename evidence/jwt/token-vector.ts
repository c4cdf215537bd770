/** A token, and whether it must be accepted. */
export interface TokenVector {
  /** Of the catalogue: J1 to J7. */
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly accepted: boolean;
}

/** A token that must be refused. */
export const refused = (id: string, name: string, token: string): TokenVector => ({
  id,
  name,
  token,
  accepted: false,
});
