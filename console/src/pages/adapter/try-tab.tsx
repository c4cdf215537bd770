import { type ReactNode, useState } from 'react';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { CodeView, CopyAsCurl } from '../../kit/copy.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { tookWords } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { prettyJson } from '../../kit/pretty-json.js';
import { StatusLabel } from '../../kit/status.js';
import { faultsOfTrial, FIRST_TRIAL, isChange, openMethods, requestOf, type Trial } from './try-request.js';

/** Result of a request: a text, or the reason why there is none. */
interface Outcome {
  readonly ms: number;
  readonly text?: string;
  readonly requestId?: string | undefined;
  readonly problem?: ApiProblem;
}

/** Sends a request to the orchestrator through the adapter, as API clients do, and shows the response. */
export function TryTab({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  const methods = openMethods(may);
  const [trial, setTrial] = useState<Trial>({ ...FIRST_TRIAL, method: methods[0] ?? 'QUERY' });
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const begin = performance.now();
    const took = () => performance.now() - begin;
    try {
      const { text, requestId } = await request(requestOf(name, trial));
      setOutcome({ ms: took(), text, requestId });
    } catch (error) {
      setOutcome({ ms: took(), problem: problemOf(error) });
    }
    setBusy(false);
  };
  return (
    <div className="gh-columns">
      <Panel title="Request">
        <div className="gh-stack">
          <TrialFields trial={trial} methods={methods} onChange={setTrial} />
          <div className="gh-actions">
            <SendButton name={name} trial={trial} isBusy={isBusy} onSend={() => void send()} />
            <CopyAsCurl wanted={requestOf(name, trial)} />
          </div>
        </div>
      </Panel>
      <Panel title="Response">
        {outcome ? (
          <Reply outcome={outcome} />
        ) : (
          <p className="gh-quiet">
            The response of the orchestrator appears here. Each request is recorded in the audit trail.
          </p>
        )}
      </Panel>
    </div>
  );
}

interface TrialFieldsProps {
  readonly trial: Trial;
  readonly methods: readonly string[];
  readonly onChange: (trial: Trial) => void;
}

function TrialFields({ trial, methods, onChange }: TrialFieldsProps): ReactNode {
  const set = (name: keyof Trial) => (value: string) => onChange({ ...trial, [name]: value });
  const faults = faultsOfTrial(trial);
  return (
    <>
      <SelectField
        label="Method"
        value={trial.method}
        onChange={set('method')}
        options={methods.map((value) => ({
          value,
          label: value === 'QUERY' ? 'GET (query)' : `${value} (action)`,
        }))}
        help={
          trial.method === 'QUERY' ? 'Returns the full response.' : 'Returns only the status of the response.'
        }
      />
      <TextField
        label="Path"
        value={trial.path}
        onChange={set('path')}
        isRequired
        placeholder="/restconf/data/ietf-interfaces:interfaces"
        {...(trial.path !== '' && faults.path !== undefined && { error: faults.path })}
      />
      <TextField label="Accept" value={trial.accept} onChange={set('accept')} />
      {isChange(trial.method) && (
        <>
          <TextField label="Content-Type" value={trial.contentType} onChange={set('contentType')} />
          <TextAreaField
            label="Body"
            isCode
            rows={10}
            value={trial.body}
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
  readonly trial: Trial;
  readonly isBusy: boolean;
  readonly onSend: () => void;
}

function SendButton({ name, trial, isBusy, onSend }: SendButtonProps): ReactNode {
  const isDisabled = Object.keys(faultsOfTrial(trial)).length > 0;
  if (!isChange(trial.method))
    return (
      <Button kind="primary" isBusy={isBusy} isDisabled={isDisabled} onPress={onSend}>
        Send
      </Button>
    );
  return (
    <ConfirmButton
      verb={`Send ${trial.method}`}
      title={`${trial.method} ${trial.path}?`}
      isDangerous={trial.method === 'DELETE'}
      isBusy={isBusy}
      isDisabled={isDisabled}
      onConfirm={onSend}
    >
      This request may change data on the orchestrator of {name}. gatehouse cannot undo it.
    </ConfirmButton>
  );
}

function Reply({ outcome: { ms, text = '', requestId, problem } }: { readonly outcome: Outcome }): ReactNode {
  return (
    <div className="gh-stack" role="status">
      <div className="gh-actions">
        <StatusLabel status={problem ? 'bad' : 'good'}>
          {problem ? `${problem.status} ${problem.code}` : '200 ok'}
        </StatusLabel>
        <span>{tookWords(ms)}</span>
        {requestId !== undefined && <span className="gh-quiet">request {requestId}</span>}
      </div>
      {problem && <Failure problem={problem} />}
      {!problem && <CodeView text={prettyJson(text)} label="Body" />}
    </div>
  );
}
