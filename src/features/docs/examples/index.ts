import type { OperationExample } from '../../../core/operation.js';
import examples from './examples.json' with { type: 'json' };

/** Examples by application, and by the id of the operation. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, OperationExample>>>> = examples;

/**
 * Returns the example of an operation by its name, `<application>.<id>`. `test/e2e/description-examples.test.ts` makes the
 * calls and writes the examples.
 */
export function exampleOf(name: string): OperationExample | undefined {
  const [application = '', id = ''] = name.split('.');
  return EXAMPLES[application]?.[id];
}
