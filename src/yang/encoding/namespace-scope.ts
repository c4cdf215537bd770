/** Namespaces of the prefixes that an element may use (Namespaces in XML 1.0 section 5); '' is the default namespace. */
export interface NamespaceScope {
  get(prefix: string): string | undefined;
}

/** The scope outside of a document. */
export const NO_NAMESPACES: NamespaceScope = { get: () => undefined };

/** Scope of an element that declares namespaces. It refers to the scope around it, so that declarations are never copied. */
export class DeclaredNamespaces implements NamespaceScope {
  readonly #outer: NamespaceScope;
  readonly #own = new Map<string, string>();

  constructor(outer: NamespaceScope) {
    this.#outer = outer;
  }

  declare(prefix: string, namespace: string): void {
    this.#own.set(prefix, namespace);
  }

  get(prefix: string): string | undefined {
    return this.#own.get(prefix) ?? this.#outer.get(prefix);
  }
}
