import { isJsonObject } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import type { Names, YangModule } from '../modules/yang-module.js';
import { childOf, type Statement } from '../syntax/statement.js';
import type { SchemaNode } from '../tree/schema-node.js';
import type { Types } from '../types/resolve-type.js';
import type { YangType } from '../types/yang-type.js';
import type { ValueReader } from './value-reader.js';
import type { ViolationList } from './violations.js';

/** Member of an object that annotates the object or another member. */
interface AnnotationMember {
  /** `@`, or `@` and the name of the annotated member. */
  readonly member: string;
  readonly value: unknown;
  readonly object: Readonly<Record<string, unknown>>;
  /** Pointer to the object. */
  readonly pointer: string;
}

/** Annotations that modules define, by `module:name`. */
export type Annotations = ReadonlyMap<string, YangType>;

/** Returns the annotations that modules define with `md:annotation` (RFC 7952 section 3). */
export function annotationsOf(
  modules: readonly YangModule[],
  { names, types }: { readonly names: Names; readonly types: Types },
): Annotations {
  return new Map(
    modules.flatMap((module) =>
      module.units
        .flatMap(({ root }) => root.children)
        .filter((statement) => isAnnotation(statement, names))
        .flatMap((statement) => {
          const type = childOf(statement, 'type');
          return type ? [[`${module.name}:${statement.argument}`, types.resolve(type)] as const] : [];
        }),
    ),
  );
}

function isAnnotation(statement: Statement, names: Names): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  return local === 'annotation' && names.moduleOf(statement, prefix)?.name === 'ietf-yang-metadata';
}

/** Dependencies of {@link AnnotationCheck}. */
interface AnnotationCheckOptions {
  readonly annotations: Annotations;
  readonly values: ValueReader;
  readonly violations: ViolationList;
  /** Node in whose scope the values of annotations are read. */
  readonly root: SchemaNode;
}

/** Checks the metadata annotations of a document (RFC 7952 section 5.2). */
export class AnnotationCheck {
  readonly #options: AnnotationCheckOptions;

  constructor(options: AnnotationCheckOptions) {
    this.#options = options;
  }

  check({ member, value, object, pointer }: AnnotationMember): void {
    const at = pointerTo(pointer, member);
    const annotated = member.slice(1);
    if (annotated === '') {
      this.#checkObject(value, at);
      return;
    }
    if (!Object.hasOwn(object, annotated)) {
      this.#report(at, `annotates "${annotated}", which is missing`);
      return;
    }
    if (!Array.isArray(value)) {
      this.#checkObject(value, at);
      return;
    }
    const entries = object[annotated];
    const count = Array.isArray(entries) ? entries.length : 0;
    if (value.length > count) this.#report(at, `annotates more entries than "${annotated}" has`);
    value.forEach((entry: unknown, index) => {
      if (entry !== null) this.#checkObject(entry, pointerTo(at, index));
    });
  }

  #checkObject(value: unknown, pointer: string): void {
    if (!isJsonObject(value)) {
      this.#report(pointer, 'must be an object of annotations (RFC 7952 section 5.2)');
      return;
    }
    for (const [name, annotation] of Object.entries(value)) this.#checkAnnotation(name, annotation, pointer);
  }

  #checkAnnotation(name: string, value: unknown, parent: string): void {
    const { annotations, values, root } = this.#options;
    const type = annotations.get(name);
    const pointer = pointerTo(parent, name);
    if (!type) {
      this.#report(
        pointer,
        name.includes(':')
          ? 'is no annotation of the modules; remove it, or add the module that defines it'
          : 'must have the name of its module (RFC 7952 section 5.2.1)',
      );
      return;
    }
    const reading = values.read(type, value, { node: root, module: name.replace(/:.*$/, '') });
    if ('fault' in reading) this.#report(pointer, reading.fault);
  }

  #report(pointer: string, message: string): void {
    this.#options.violations.add({ pointer, rule: 'annotation', message });
  }
}
