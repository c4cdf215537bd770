import { type ReactNode, useId, useMemo, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { type ApiExchange, type ApiResponse, exchange } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { SubmitButton } from '../../kit/button.js';
import { CodeView, CopyAsCurl } from '../../kit/copy.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Facts } from '../../kit/facts.js';
import { Failure, Notice } from '../../kit/feedback.js';
import { EntryForm } from '../../kit/fields.js';
import { readableText } from '../../kit/json-text.js';
import { formatDuration, formatList } from '../../kit/numbers.js';
import { Actions, Panel, Stack } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import { BodyField } from './body-field.js';
import { bundledSchema } from './body-form.js';
import type { ApiOperation } from './operation.js';
import { ParameterFields } from './parameter-fields.js';
import { exampleOf, type Schemas } from './schema-example.js';
import { draftOf, type ParameterValues } from './target.js';

const text = textOf('api');

export interface OperationDetailProps {
  readonly operation: ApiOperation;
  readonly schemas: Schemas;
}

/** Renders a form for the parameters and body of an operation. Calls use the reader's session. */
export function TryIt({ operation, schemas }: OperationDetailProps): ReactNode {
  const { may } = useSession();
  const { method, parameters, body, untried, permission } = operation;
  const [values, setValues] = useState<ParameterValues>({});
  const [json, setJson] = useState(() =>
    body ? JSON.stringify(exampleOf(body, schemas), null, 2) : undefined,
  );
  const schema = useMemo(() => body && bundledSchema(body, schemas), [body, schemas]);
  const form = useId();
  const { answer, problem, isBusy, send } = useResponse();
  const { path, missing, fault } = draftOf(operation, values, json);
  const isReady = fault === undefined && missing.length === 0;
  const blockedReason = may(permission) ? untried : text('mayNot');
  const sent = json === undefined ? {} : { json };
  const submit = () => {
    if (isReady && blockedReason === undefined)
      void send({ method, path, ...(json !== undefined && { body: json }) });
  };
  return (
    <Panel title={text('try')} actions={<CopyAsCurl wanted={{ method, path, ...sent }} />}>
      <Stack>
        <EntryForm id={form} label={text('try')} onSubmit={method === 'DELETE' ? () => undefined : submit}>
          <ParameterFields parameters={parameters} values={values} onChange={setValues} />
        </EntryForm>
        {schema && json !== undefined && (
          <BodyField schema={schema} text={json} onChange={setJson} fault={fault} />
        )}
        {blockedReason !== undefined && <Notice kind="info" title={blockedReason} />}
        {blockedReason === undefined && (
          <Actions>
            <SendButton
              method={method}
              path={path}
              form={form}
              isBusy={isBusy}
              isReady={isReady}
              onSend={submit}
            />
            {missing.length > 0 && (
              <span className="gh-quiet">{text('required', { names: formatList(missing) })}</span>
            )}
          </Actions>
        )}
        {problem && <Failure problem={problem} />}
        {answer && <ResponseView answer={answer} />}
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

/** Renders the submit button; deletions ask for confirmation. */
function SendButton({ method, path, form, isBusy, isReady, onSend }: SendButtonProps): ReactNode {
  if (method !== 'DELETE')
    return (
      <SubmitButton form={form} isBusy={isBusy}>
        {text('send', { method })}
      </SubmitButton>
    );
  return (
    <ConfirmButton
      verb={text('send', { method })}
      title={text('delete.title', { path })}
      isDangerous
      isBusy={isBusy}
      isDisabled={!isReady}
      onConfirm={onSend}
    >
      {text('delete.help')}
    </ConfirmButton>
  );
}

interface ResponseState {
  readonly answer: ApiResponse | undefined;
  /** Why there is no response. */
  readonly problem: ApiProblem | undefined;
  readonly isBusy: boolean;
  readonly send: (wanted: ApiExchange) => Promise<void>;
}

/** Sends requests and keeps the latest response. */
function useResponse(): ResponseState {
  const [answer, setAnswer] = useState<ApiResponse>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  const send = async (wanted: ApiExchange) => {
    setBusy(true);
    setProblem(undefined);
    setAnswer(undefined);
    try {
      setAnswer(await exchange(wanted));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  return { answer, problem, isBusy, send };
}

/** Renders a response: status, time, body and headers. */
function ResponseView({
  answer: { status, ms, text: body, headers },
}: {
  readonly answer: ApiResponse;
}): ReactNode {
  const kind = status < 400 ? 'good' : status < 500 ? 'warning' : 'bad';
  return (
    <section aria-label={text('response')} role="status">
      <Stack>
        <Facts
          facts={{
            [text('status')]: <StatusLabel status={kind}>{status}</StatusLabel>,
            [text('time')]: formatDuration(ms),
          }}
        />
        <CodeView label={text('responseBody')} text={readableText(body)} />
        <CodeView
          label={text('headers')}
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      </Stack>
    </section>
  );
}
