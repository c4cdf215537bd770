import { type ReactNode, useId, useMemo, useState } from 'react';
import { useSession } from '../../app/session.js';
import { SubmitButton } from '../../kit/button.js';
import { Actions, Stack } from '../../kit/columns.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { EntryForm } from '../../kit/entry-form.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import { AnswerView } from './answer-view.js';
import { BodyField } from './body-field.js';
import { standalone } from './body-form.js';
import type { ApiOperation } from './operation.js';
import { ParameterFields } from './parameter-fields.js';
import { exampleOf, type Schemas } from './schema-example.js';
import { draftOf, type Values } from './target.js';
import { useExchange } from './use-exchange.js';

export interface OperationDetailProps {
  readonly operation: ApiOperation;
  readonly schemas: Schemas;
}

/** A form for the parameters and body of an operation. Calls use the reader's session. */
export function TryIt({ operation, schemas }: OperationDetailProps): ReactNode {
  const { may } = useSession();
  const { method, parameters, body, untried, permission } = operation;
  const [values, setValues] = useState<Values>({});
  const [text, setText] = useState(() =>
    body ? JSON.stringify(exampleOf(body, schemas), null, 2) : undefined,
  );
  const schema = useMemo(() => body && standalone(body, schemas), [body, schemas]);
  const form = useId();
  const { answer, problem, isBusy, send } = useExchange();
  const { path, missing, fault } = draftOf(operation, values, text);
  const isReady = fault === undefined && missing.length === 0;
  const closed = may(permission)
    ? untried
    : 'Your roles do not allow this operation: the server would return 403.';
  const sent = text === undefined ? {} : { json: text };
  const go = () => {
    if (isReady && closed === undefined)
      void send({ method, path, ...(text !== undefined && { body: text }) });
  };
  return (
    <Panel title="Try it" actions={<CopyAsCurl wanted={{ method, path, ...sent }} />}>
      <Stack>
        <EntryForm id={form} label="Try it" onSubmit={method === 'DELETE' ? () => undefined : go}>
          <ParameterFields parameters={parameters} values={values} onChange={setValues} />
        </EntryForm>
        {schema && text !== undefined && (
          <BodyField schema={schema} text={text} onChange={setText} fault={fault} />
        )}
        {closed !== undefined && <Notice kind="info" title={closed} />}
        {closed === undefined && (
          <Actions>
            <SendButton
              method={method}
              path={path}
              form={form}
              isBusy={isBusy}
              isReady={isReady}
              onSend={go}
            />
            {missing.length > 0 && <span className="gh-quiet">Required: {missing.join(', ')}</span>}
          </Actions>
        )}
        {problem && <Failure problem={problem} />}
        {answer && <AnswerView answer={answer} />}
      </Stack>
    </Panel>
  );
}

interface SendButtonProps {
  readonly method: string;
  readonly path: string;
  /** Id of the form to submit. */
  readonly form: string;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly onSend: () => void;
}

/** The submit button; deletions ask for confirmation. */
function SendButton({ method, path, form, isBusy, isReady, onSend }: SendButtonProps): ReactNode {
  if (method !== 'DELETE') return <SubmitButton form={form} isBusy={isBusy}>{`Send ${method}`}</SubmitButton>;
  return (
    <ConfirmButton
      verb="Send DELETE"
      title={`Send DELETE ${path}?`}
      isDangerous
      isBusy={isBusy}
      isDisabled={!isReady}
      onConfirm={onSend}
    >
      The server deletes the resource at this path. This cannot be undone.
    </ConfirmButton>
  );
}
