import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { Drawer } from '../../kit/drawer.js';
import { Facts } from '../../kit/facts.js';
import { Read } from '../../kit/feedback.js';
import { formatList } from '../../kit/numbers.js';
import { Stack } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import {
  type Decision,
  decisionPath,
  type Question,
  type Result,
  ruleText,
  STATUS,
  type Step,
} from './decision.js';

const text = textOf('access');

/** Renders the decision about a question at the side of the page. */
export function DecisionDrawer({
  question,
  onClose,
}: {
  readonly question: Question;
  readonly onClose: () => void;
}): ReactNode {
  const decision = useRead<Decision>(decisionPath(question));
  return (
    <Drawer title={text('decision')} onClose={onClose}>
      <Read query={decision} what={text('decisionWhat')}>
        {(found) => <DecisionView decision={found} />}
      </Read>
    </Drawer>
  );
}

/** Renders a decision: the question, the result, and each step with its rules. */
export function DecisionView({ decision }: { readonly decision: Decision }): ReactNode {
  const { caller, operation, adapter, method, path, result, steps, adapters } = decision;
  return (
    <Stack>
      <Facts
        facts={{
          [text('subject')]: caller.subject,
          [text('roles')]: caller.roles.length === 0 ? text('none') : formatList(caller.roles),
          [text('operation')]: <code className="gh-breakable">{operation}</code>,
          [text('adapter')]: adapter,
          [text('methodField')]: adapter === undefined ? undefined : (method ?? text('any')),
          [text('path')]: adapter === undefined ? undefined : <code>{path ?? text('any')}</code>,
          [text('result')]: <ResultLabel result={result} />,
        }}
      />
      {result === 'depends' && <p>{text(adapters ? 'dependsOnAdapter' : 'dependsOnCall')}</p>}
      <ol className="gh-plain-list gh-stack" aria-label={text('steps')}>
        {steps.map((step) => (
          <li key={step.check}>
            <StepView step={step} />
          </li>
        ))}
      </ol>
      {adapters && <AdapterResults adapters={adapters} />}
    </Stack>
  );
}

/** Renders a result as a colored word. */
export function ResultLabel({ result }: { readonly result: Result }): ReactNode {
  return <StatusLabel status={STATUS[result]}>{text(result)}</StatusLabel>;
}

function StepView({ step }: { readonly step: Step }): ReactNode {
  const { check, result, outcomes, rules, names = [], roles = [], isConfigured = false } = step;
  return (
    <Stack>
      <h3>
        {text(`check.${check}`)} <ResultLabel result={result} />
      </h3>
      {check === 'operation' && (
        <p>
          {typeof roles === 'string' ? text(roles) : text('acceptedRoles', { roles: formatList(roles) })}{' '}
          {isConfigured && text('configured')}
        </p>
      )}
      {check !== 'operation' && outcomes.length === 0 && (
        <p>{text(check === 'granted' ? 'noGrant' : 'noRulesOfStep')}</p>
      )}
      <ul className="gh-plain-list gh-stack">
        {outcomes.map(({ rule, result: ofRule, member }, at) => (
          <li key={rule}>
            <code className="gh-breakable">{ruleText(names[at] ?? rule, rules[at] ?? {})}</code>{' '}
            <span className="gh-quiet">{text(`rule.${ofRule}`, { key: member ?? '' })}</span>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function AdapterResults({ adapters }: { readonly adapters: NonNullable<Decision['adapters']> }): ReactNode {
  return (
    <ul className="gh-plain-list" aria-label={text('adapters')}>
      {adapters.map(({ adapter, result }) => (
        <li key={adapter}>
          {adapter} <ResultLabel result={result} />
        </li>
      ))}
    </ul>
  );
}
