import { type SyntheticEvent, type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { SubmitButton } from '../../kit/button.js';
import { Read } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Actions, Stack } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { DecisionView } from './decision-view.js';
import { type Decision, decisionPath, type Question } from './decision.js';

const text = textOf('access');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CALL'];

/** Renders a form for a question about a user, a client or roles, and the answer. */
export function AskTab({
  operations,
  adapters,
}: {
  readonly operations: readonly string[];
  readonly adapters: readonly string[];
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
      <form onSubmit={ask}>
        <Stack>
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
          <Actions>
            <SubmitButton>{text('ask')}</SubmitButton>
          </Actions>
        </Stack>
      </form>
      {asked && <Answer key={decisionPath(asked)} question={asked} />}
    </Stack>
  );
}

function Answer({ question }: { readonly question: Question }): ReactNode {
  const decision = useRead<Decision>(decisionPath(question));
  return (
    <Read query={decision} what={text('decisionWhat')}>
      {(found) => <DecisionView decision={found} />}
    </Read>
  );
}
