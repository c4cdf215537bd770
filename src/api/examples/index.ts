import { examples as tools } from './tools.js';
import { examples as orchestratorManager } from './orchestrator-manager.js';
import { examples as jsonForms } from './json-forms.js';
import { examples as tasks } from './tasks.js';
import { examples as login } from './login.js';
import { examples as adapters } from './adapters.js';
import { examples as applications } from './applications.js';
import { examples as profiles } from './profiles.js';
import { examples as health } from './health.js';
import { examples as schema } from './schema.js';
import { examples as platform } from './platform.js';
import { examples as audit } from './audit.js';
import { examples as access } from './access.js';
import { examples as documentation } from './documentation.js';
import { examples as console } from './console.js';
import { examples as notifications } from './notifications.js';
import { examples as deprecations } from './deprecations.js';
import type { OperationExample } from '../../core/operation.js';

/** Examples of the operations of an application, by the id of the operation. */
type ApplicationExamples = Readonly<Record<string, OperationExample>>;

const EXAMPLES: Readonly<Record<string, ApplicationExamples>> = {
  tools,
  'orchestrator-manager': orchestratorManager,
  'json-forms': jsonForms,
  tasks,
  login,
  adapters,
  applications,
  profiles,
  health,
  schema,
  platform,
  audit,
  access,
  documentation,
  console,
  notifications,
  deprecations,
};

/**
 * Returns the example of an operation by its name, `<application>.<id>`. `test/e2e/description-examples.test.ts` makes the
 * calls and writes the examples of each application.
 */
export function exampleOf(name: string): OperationExample | undefined {
  const [application = '', id = ''] = name.split('.');
  return EXAMPLES[application]?.[id];
}
