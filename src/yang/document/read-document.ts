import { isJsonObject } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { keysOf, type SchemaNode } from '../tree/schema-node.js';
import type { AnnotationCheck } from './annotation-check.js';
import type { DataChildren, DataDefinition } from './data-definition.js';
import { DataNode } from './data-node.js';
import type { StepBudget } from './step-budget.js';
import type { ValueReader } from './value-reader.js';
import type { ViolationList } from './violations.js';

/** Dependencies of {@link DocumentReader}. */
interface DocumentReaderOptions {
  readonly values: ValueReader;
  readonly annotations: AnnotationCheck;
  readonly budget: StepBudget;
  readonly violations: ViolationList;
}

/** Reads an RFC 7951 document into data nodes. Reports members and values that the model does not have. */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
  }

  /** Adds the members of an object to a node. */
  readMembers(parent: DataNode, object: Readonly<Record<string, unknown>>, children: DataChildren): void {
    for (const [member, value] of Object.entries(object)) {
      if (member.startsWith('@')) {
        this.#options.annotations.check({ member, value, object, pointer: parent.pointer });
        continue;
      }
      const definition = children.byMember.get(member);
      if (definition) this.#readMember(parent, definition, value);
      else this.#reportUnknown(parent, member, children);
    }
    parent.sort(children.list);
  }

  #reportUnknown(parent: DataNode, member: string, { list }: DataChildren): void {
    const named = list.find(({ qualified, node }) => qualified === member || node.name === member);
    this.#options.violations.add({
      pointer: pointerTo(parent.pointer, member),
      rule: 'member',
      message: named
        ? `must be named "${named.member}" (RFC 7951 section 4)`
        : 'is no node of the model here',
    });
  }

  #readMember(parent: DataNode, definition: DataDefinition, value: unknown): void {
    switch (definition.node.kind) {
      case 'leaf':
        this.#readLeaf(new DataNode({ definition, parent }), value);
        return;
      case 'leaf-list':
        this.#readArray(value, new DataNode({ definition, parent }), (item, index) => {
          this.#readLeaf(new DataNode({ definition, parent, index }), item);
        });
        return;
      case 'list':
        this.#readArray(value, new DataNode({ definition, parent }), (item, index) => {
          this.#readEntry(new DataNode({ definition, parent, index }), definition, item);
        });
        return;
      case 'anydata':
      case 'anyxml':
        this.#readAny(new DataNode({ definition, parent }), value);
        return;
      default:
        this.#readObject(new DataNode({ definition, parent }), definition, value);
    }
  }

  #readArray(value: unknown, node: DataNode, read: (item: unknown, index: number) => void): void {
    if (Array.isArray(value)) value.forEach(read);
    else this.#reportType(node, 'must be an array');
  }

  #readEntry(node: DataNode, definition: DataDefinition, value: unknown): void {
    if (!this.#readObject(node, definition, value)) return;
    for (const key of keysOf(definition.node))
      if (node.named(`${definition.node.module.name}:${key}`).length === 0)
        this.#options.violations.add({
          pointer: pointerTo(node.pointer, key),
          rule: 'key',
          message: 'is a key of the list, and is missing',
        });
  }

  #readObject(node: DataNode, { children }: DataDefinition, value: unknown): boolean {
    if (!isJsonObject(value)) {
      this.#reportType(node, 'must be an object');
      return false;
    }
    this.#add(node);
    this.readMembers(node, value, children);
    return true;
  }

  #readAny(node: DataNode, value: unknown): void {
    if (node.definition?.node.kind === 'anydata' && !isJsonObject(value))
      this.#reportType(node, 'must be an object');
    else this.#add(node);
  }

  #readLeaf(node: DataNode, value: unknown): void {
    const schema = node.definition?.node;
    if (!schema?.type) return;
    this.#add(node);
    const reading = this.#options.values.read(schema.type, value, scopeOf(schema));
    if ('fault' in reading) {
      node.value = typeof value === 'string' ? value : JSON.stringify(value);
      this.#reportType(node, reading.fault);
      return;
    }
    const [first] = reading;
    node.value = first.text;
    node.type = first.type;
    node.reference = first.reference;
    const { reference } = first;
    // The form of an instance-identifier is checked even if its instance need not exist.
    if (reference?.isRequired || reference?.type.base === 'instance-identifier') node.candidates = reading;
  }

  #add(node: DataNode): void {
    this.#options.budget.takeNode(node.depth);
    node.parent?.add(node);
  }

  #reportType(node: DataNode, message: string): void {
    this.#options.violations.add({ pointer: node.pointer, rule: 'type', message });
  }
}

function scopeOf(node: SchemaNode) {
  return { node, module: node.module.name };
}
