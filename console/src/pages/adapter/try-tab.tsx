import { type ReactNode, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CodeView, CopyAsCurl } from '../../kit/copy.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { formatDuration } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { prettyJson } from '../../kit/json-text.js';
import { RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import {
  requestFaults,
  INITIAL_REQUEST,
  isChange,
  permittedMethods,
  requestOf,
  type TestRequest,
} from './try-request.js';

/** Result of a request: the text of the response, or the problem. */
interface TestResult {
  readonly ms: number;
  readonly text?: string;
  readonly requestId?: string | undefined;
  readonly problem?: ApiProblem;
}

/** Sends a request to the orchestrator through the adapter, as API clients do, and shows the response. */
export function TryTab({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  const methods = permittedMethods(may);
  const [draft, setDraft] = useState<TestRequest>({ ...INITIAL_REQUEST, method: methods[0] ?? 'QUERY' });
  const [result, setResult] = useState<TestResult>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const begin = performance.now();
    const elapsed = () => performance.now() - begin;
    try {
      const { text, requestId } = await request(requestOf(name, draft));
      setResult({ ms: elapsed(), text, requestId });
    } catch (error) {
      setResult({ ms: elapsed(), problem: problemOf(error) });
    }
    setBusy(false);
  };
  return (
    <div className="gh-columns">
      <Panel title="Request">
        <div className="gh-stack">
          <RequestFields draft={draft} methods={methods} onChange={setDraft} />
          <div className="gh-actions">
            <SendButton name={name} draft={draft} isBusy={isBusy} onSend={() => void send()} />
            <CopyAsCurl wanted={requestOf(name, draft)} />
          </div>
        </div>
      </Panel>
      <Panel title="Response">
        {result ? (
          <Reply result={result} />
        ) : (
          <p className="gh-quiet">
            The response of the orchestrator appears here. Each request is recorded in the audit trail.
          </p>
        )}
      </Panel>
    </div>
  );
}

interface RequestFieldsProps {
  readonly draft: TestRequest;
  readonly methods: readonly string[];
  readonly onChange: (draft: TestRequest) => void;
}

function RequestFields({ draft, methods, onChange }: RequestFieldsProps): ReactNode {
  const set = (name: keyof TestRequest) => (value: string) => onChange({ ...draft, [name]: value });
  const faults = requestFaults(draft);
  return (
    <>
      <SelectField
        label="Method"
        value={draft.method}
        onChange={set('method')}
        options={methods.map((value) => ({
          value,
          label: value === 'QUERY' ? 'GET (query)' : `${value} (action)`,
        }))}
        help={
          draft.method === 'QUERY'
            ? 'Returns the full response.'
            : 'Returns the status, the headers and the body of each response.'
        }
      />
      <TextField
        label="Path"
        value={draft.path}
        onChange={set('path')}
        isRequired
        placeholder="/restconf/data/ietf-interfaces:interfaces"
        {...(draft.path !== '' && faults.path !== undefined && { error: faults.path })}
      />
      <TextField label="Accept" value={draft.accept} onChange={set('accept')} />
      {isChange(draft.method) && (
        <>
          <TextField label="Content-Type" value={draft.contentType} onChange={set('contentType')} />
          <TextAreaField
            label="Body"
            isCode
            rows={10}
            value={draft.body}
            onChange={set('body')}
            help="A JSON object. Leave empty to send no body."
            {...(faults.body !== undefined && { error: faults.body })}
          />
        </>
      )}
    </>
  );
}

interface SendButtonProps {
  readonly name: string;
  readonly draft: TestRequest;
  readonly isBusy: boolean;
  readonly onSend: () => void;
}

function SendButton({ name, draft, isBusy, onSend }: SendButtonProps): ReactNode {
  const isDisabled = Object.keys(requestFaults(draft)).length > 0;
  if (!isChange(draft.method))
    return (
      <Button kind="primary" isBusy={isBusy} isDisabled={isDisabled} onPress={onSend}>
        Send
      </Button>
    );
  return (
    <ConfirmButton
      verb={`Send ${draft.method}`}
      title={`${draft.method} ${draft.path}?`}
      isDangerous={draft.method === 'DELETE'}
      isBusy={isBusy}
      isDisabled={isDisabled}
      onConfirm={onSend}
    >
      This request may change data on the orchestrator of {name}. gatehouse cannot undo it.
    </ConfirmButton>
  );
}

function Reply({
  result: { ms, text = '', requestId, problem },
}: {
  readonly result: TestResult;
}): ReactNode {
  return (
    <div className="gh-stack" role="status">
      <div className="gh-actions">
        <StatusLabel status={problem ? 'bad' : 'good'}>
          {problem ? `${problem.status} ${problem.code}` : '200 ok'}
        </StatusLabel>
        <span>{formatDuration(ms)}</span>
        {requestId !== undefined && <RequestLink id={requestId} />}
      </div>
      {problem && <Failure problem={problem} />}
      {!problem && <CodeView text={prettyJson(text)} label="Body" />}
    </div>
  );
}
