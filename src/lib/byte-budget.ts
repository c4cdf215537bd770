/** Limits of a {@link ByteBudget}. */
interface ByteBudgetLimits {
  readonly bytes: number;
  /** Maximum number of bytes of one owner. */
  readonly bytesPerOwner: number;
}

/** Bytes of one piece of work. */
export interface ByteReservation {
  /** Changes the reserved bytes. Returns false, and changes nothing, if the budget has no room for more. */
  resize(bytes: number): boolean;
  /** Returns all bytes to the budget; later calls do nothing. */
  release(): void;
}

/** Memory that several pieces of work share. Each reserves its bytes before it allocates them. */
export class ByteBudget {
  readonly limits: ByteBudgetLimits;
  readonly #reservedByOwner = new Map<string, number>();
  #reserved = 0;

  constructor(limits: ByteBudgetLimits) {
    this.limits = limits;
  }

  /** Number of reserved bytes. */
  get reserved(): number {
    return this.#reserved;
  }

  /** Opens a reservation of no bytes. */
  open(owner: string): ByteReservation {
    let held = 0;
    let isReleased = false;
    const resize = (bytes: number): boolean => {
      const more = bytes - held;
      if (isReleased || (more > 0 && !this.#hasRoom(owner, more))) return false;
      this.#add(owner, more);
      held = bytes;
      return true;
    };
    return {
      resize,
      release() {
        resize(0);
        isReleased = true;
      },
    };
  }

  #hasRoom(owner: string, more: number): boolean {
    const { bytes, bytesPerOwner } = this.limits;
    return this.#reserved + more <= bytes && this.#of(owner) + more <= bytesPerOwner;
  }

  #of(owner: string): number {
    return this.#reservedByOwner.get(owner) ?? 0;
  }

  #add(owner: string, more: number): void {
    this.#reserved += more;
    const rest = this.#of(owner) + more;
    if (rest > 0) this.#reservedByOwner.set(owner, rest);
    else this.#reservedByOwner.delete(owner);
  }
}
