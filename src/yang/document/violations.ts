/** Violation of a rule of the model by a document. */
export interface DataViolation {
  /** RFC 6901 pointer to the node; for a missing node, the pointer that the node would have. */
  readonly pointer: string;
  /** Statement or rule that is violated. */
  readonly rule: DataRule;
  /** Phrase that follows the name of the node. */
  readonly message: string;
  /** `error-app-tag` of the statement, or the tag of RFC 7950 section 15. */
  readonly appTag?: string;
}

type DataRule =
  | 'type'
  | 'member'
  | 'annotation'
  | 'key'
  | 'unique'
  | 'mandatory'
  | 'min-elements'
  | 'max-elements'
  | 'choice'
  | 'when'
  | 'must'
  | 'require-instance';

/** Maximum number of violations of one document that are reported. */
const MAX_VIOLATIONS = 100;

/** Collects the violations of one document. */
export class ViolationList {
  readonly list: DataViolation[] = [];
  #isTruncated = false;

  /** True if there are more violations than the list has. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  add(violation: DataViolation): void {
    if (this.list.length < MAX_VIOLATIONS) this.list.push(violation);
    else this.#isTruncated = true;
  }
}
