import { textOf } from '../../text/text.js';
import type { FormDraft } from '../draft.js';
import { runExamples } from '../examples.js';
import {
  emptyRanges,
  missingLabels,
  unknownRequired,
  unknownTests,
  unreachableFields,
} from './field-rules.js';
import type { Finding, Rule } from './finding.js';
import { misspeltKeywords, schemaFaults } from './keyword-rules.js';
import { bindingMismatch, structMismatch, uiMismatch } from './ui-rules.js';

const text = textOf('designer');

/** Reports examples whose validation result is not the expected result. */
const failedExamples: Rule = (draft) =>
  (runExamples(draft) ?? [])
    .filter(({ passed }) => !passed)
    .map(({ example: { kind, index }, errors: [first] }): Finding => ({
      kind: 'error',
      part: 'schema',
      pointer: `/${kind === 'accepted' ? 'examples' : 'x-refused'}/${index}`,
      message:
        kind === 'accepted'
          ? text('lint.exampleRefused', {
              number: index + 1,
              pointer: first?.instancePath ?? '',
              message: first?.message ?? '',
            })
          : text('lint.exampleAccepted', { number: index + 1 }),
    }));

const RULES: readonly Rule[] = [
  schemaFaults,
  unknownRequired,
  unknownTests,
  unreachableFields,
  emptyRanges,
  failedExamples,
  bindingMismatch,
  uiMismatch,
  misspeltKeywords,
  structMismatch,
  missingLabels,
];

/** Maximum number of reported findings. */
const MAX_FINDINGS = 500;

/** Returns all findings of a form, errors first. */
export function lintForm(draft: FormDraft): readonly Finding[] {
  const findings = RULES.flatMap((rule) => rule(draft));
  const errors = findings.filter(({ kind }) => kind === 'error');
  return [...errors, ...findings.filter(({ kind }) => kind === 'warning')].slice(0, MAX_FINDINGS);
}
