import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { Button, SubmitButton } from '../../kit/button.js';
import { Read } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Actions, FieldGrid, Panel, Stack } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { type RuleDocument, valuesIn, withoutEmpty } from '../rules/rule.js';
import { CALL_KEYS } from './access-rule.js';
import { DecisionView } from './decision-view.js';
import { CALL_OPERATIONS, type Decision, decisionPath, type Question } from './decision.js';

const text = textOf('access');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CALL'];

/** Renders a form for a question about a user, a client or roles, and the answer. */
export function AskTab({
  operations,
  adapters,
  onGive,
}: {
  readonly operations: readonly string[];
  readonly adapters: readonly string[];
  /** Opens the dialog that gives a right; undefined for a caller who may not. */
  readonly onGive: ((preset: RuleDocument) => void) | undefined;
}): ReactNode {
  const [draft, setDraft] = useState<Required<Question>>({
    subject: '',
    roles: '',
    operation: 'orchestrator-manager.restQuery',
    adapter: '',
    method: '',
    path: '',
  });
  const [asked, setAsked] = useState<Question>();
  const field = (name: keyof Question) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    // A field without a value is no part of the question.
    setAsked(draft);
  };
  return (
    <Stack>
      <form className="gh-stack" onSubmit={ask}>
        <FieldGrid>
          <TextField label={text('subject')} help={text('subjectHelp')} {...field('subject')} />
          <TextField label={text('roles')} help={text('rolesHelp')} {...field('roles')} />
          <TextField label={text('operation')} isRequired suggestions={operations} {...field('operation')} />
          <TextField
            label={text('adapter')}
            help={text('adapterHelp')}
            suggestions={adapters}
            {...field('adapter')}
          />
          <TextField
            label={text('methodField')}
            help={text('optional')}
            suggestions={METHODS}
            {...field('method')}
          />
          <TextField
            label={text('path')}
            help={text('optional')}
            placeholder="/restconf/data/…"
            {...field('path')}
          />
        </FieldGrid>
        <Actions>
          <SubmitButton>{text('ask')}</SubmitButton>
          {onGive && <Button onPress={() => onGive(presetOf(draft))}>{text('give')}</Button>}
        </Actions>
      </form>
      {asked && <Answer key={decisionPath(asked)} question={asked} onGive={onGive} />}
    </Stack>
  );
}

function Answer({
  question,
  onGive,
}: {
  readonly question: Question;
  readonly onGive: ((preset: RuleDocument) => void) | undefined;
}): ReactNode {
  const decision = useRead<Decision>(decisionPath(question));
  return (
    <Read query={decision} what={text('decisionWhat')}>
      {(found) => (
        <Panel
          title={text('answer', { result: text(found.result) })}
          actions={
            onGive &&
            found.result !== 'allowed' &&
            CALL_KEYS.some((key) => found.operation === CALL_OPERATIONS[key]) && (
              <Button
                kind="primary"
                onPress={() =>
                  onGive(presetOf({ ...question, ...found, roles: found.caller.roles.join(',') }))
                }
              >
                {text('giveThis')}
              </Button>
            )
          }
        >
          <DecisionView decision={found} />
        </Panel>
      )}
    </Read>
  );
}

/** Returns the rule that would admit the call of a question. */
function presetOf({ roles = '', operation, adapter = '', method = '', path = '' }: Question): RuleDocument {
  const isCall = CALL_KEYS.some((key) => CALL_OPERATIONS[key].endsWith(operation));
  // A query is always a GET, and a method by name a CALL.
  const methods = operation.endsWith('restAction') || operation.endsWith('passThrough') ? [method] : [];
  return withoutEmpty({
    roles: valuesIn(roles),
    operations: isCall
      ? CALL_KEYS.map((key) => CALL_OPERATIONS[key]).filter((name) => name.endsWith(operation))
      : [],
    adapters: valuesIn(adapter),
    methods: methods.filter((one) => one !== ''),
    paths: path === '' ? [] : [path],
  });
}
