import { errorMessage } from '../../lib/error-message.js';
import { InvalidYang } from '../diagnostic.js';
import { derivedFrom } from '../modules/identities.js';
import type { Identity, YangModule } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { Statement } from '../syntax/statement.js';
import type { DataAccess, EvaluationScope } from '../xpath/context.js';
import { type Conditions, UncheckableRule } from './conditions.js';
import type { DataNode } from './data-node.js';
import type { References } from './references.js';
import type { StepBudget } from './step-budget.js';
import type { CompilePattern, ValueReader } from './value-reader.js';

/** Identities by `module:name`, with the identities that are derived from them. */
export class IdentityIndex {
  readonly #identities: ReadonlyMap<string, Identity>;
  readonly #derived = new Map<string, ReadonlySet<string>>();

  constructor(modules: readonly YangModule[]) {
    this.#identities = new Map(
      modules.flatMap((module) =>
        [...module.definitions.identity.values()].map((identity) => [
          `${module.name}:${identity.name}`,
          identity,
        ]),
      ),
    );
  }

  isDerived(name: string, base: string): boolean {
    let derived = this.#derived.get(base);
    if (!derived) {
      const identity = this.#identities.get(base);
      const found = identity ? [...derivedFrom(identity)] : [];
      derived = new Set(found.map((one) => `${one.module.name}:${one.name}`));
      this.#derived.set(base, derived);
    }
    return derived.has(name);
  }
}

/** Dependencies of {@link DocumentAccess}. */
interface DocumentAccessOptions {
  readonly budget: StepBudget;
  readonly root: DataNode;
  /** Modules of the nodes at the root; absent if the document contains all data. */
  readonly modules: ReadonlySet<string> | undefined;
  readonly conditions: Conditions;
  readonly references: () => References;
  readonly values: ValueReader;
  readonly identities: IdentityIndex;
  readonly compilePattern: CompilePattern;
  /** Any statement, for the position of faults in patterns. */
  readonly statement: Statement;
}

/** Maximum number of different patterns of `re-match()` in one validation. */
const MAX_PATTERNS = 1000;

/** Gives the evaluator access to one document. */
export class DocumentAccess implements DataAccess {
  readonly budget: StepBudget;
  readonly #options: DocumentAccessOptions;
  readonly #patterns = new Map<string, { test(text: string): boolean } | undefined>();

  constructor(options: DocumentAccessOptions) {
    this.budget = options.budget;
    this.#options = options;
  }

  exists(node: DataNode): boolean {
    return node.presence === 'present' || this.#options.conditions.exists(node);
  }

  enter(node: DataNode, qualified?: string): void {
    if (node.isOutside) throw new UncheckableRule();
    const { root, modules } = this.#options;
    if (node !== root || !modules || qualified === undefined) return;
    if (!modules.has(qualified.slice(0, qualified.indexOf(':')))) throw new UncheckableRule();
  }

  dereference(node: DataNode): readonly DataNode[] {
    return this.#options.references().find(node);
  }

  canonicalText(node: DataNode, text: string, { module, moduleOf }: EvaluationScope): string | undefined {
    const schema = node.definition?.node;
    if (!schema || !node.type || node.type.base === 'string') return undefined;
    const colon = node.type.base === 'identityref' ? text.indexOf(':') : -1;
    const named = colon < 0 ? text : `${moduleOf(text.slice(0, colon)) ?? ''}${text.slice(colon)}`;
    const reading = this.#options.values.readText(node.type, named, { node: schema, module });
    return 'fault' in reading ? undefined : reading[0].text;
  }

  matchesPattern(pattern: string, text: string): boolean {
    this.budget.spend(1 + pattern.length + text.length);
    let compiled = this.#patterns.get(pattern);
    if (!this.#patterns.has(pattern)) {
      if (this.#patterns.size >= MAX_PATTERNS) this.#patterns.clear();
      this.budget.spend(1000);
      this.#patterns.set(pattern, (compiled = this.#compile(pattern)));
    }
    return compiled?.test(text) ?? false;
  }

  isDerived(identity: string, base: string): boolean {
    return this.#options.identities.isDerived(identity, base);
  }

  /** Returns undefined for a pattern that is invalid, which nothing matches. Throws {@link UncheckableRule} for look-around. */
  #compile(pattern: string) {
    const { compilePattern, statement } = this.#options;
    try {
      const { fault, source } = translatePattern({ ...statement, argument: pattern });
      return fault ? undefined : compilePattern(source);
    } catch (error) {
      if (error instanceof InvalidYang) return undefined;
      throw new UncheckableRule(errorMessage(error));
    }
  }
}
