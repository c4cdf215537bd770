import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Segments } from '../../kit/choices.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { Notice } from '../../kit/feedback.js';
import { SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import { type MethodList, methodsPath } from '../adapters/method-field.js';
import { TryColumns } from './try-columns.js';
import { TryMethod } from './try-method.js';
import { TryReply } from './try-reply.js';
import {
  initialRequest,
  isChange,
  MEDIA_TYPES,
  permittedMethods,
  requestFaults,
  requestOf,
  type TestRequest,
} from './try-request.js';
import { useTryRequest } from './use-try-request.js';

const text = textOf('try');

/** Sends a request to the orchestrator through the adapter, or calls one of its methods, and shows the response. */
export function TryTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name } = adapter;
  const { may } = useSession();
  const mayCall = may('callAdapterMethod') && may('getAdapterMethods');
  const methods = useRead<MethodList>(methodsPath(name, { limit: 0 }), { enabled: mayCall });
  const hasMethods = (methods.data?.total ?? 0) > 0;
  const maySend = permittedMethods(may).length > 0;
  const [chosen, setChosen] = useState<'request' | 'method'>();
  const view = chosen ?? (maySend ? 'request' : 'method');
  return (
    <>
      <UnavailableNotice adapter={adapter} />
      {hasMethods && maySend && (
        <Segments
          label={text('kind')}
          options={[
            { key: 'request', label: text('kind.request') },
            { key: 'method', label: text('kind.method') },
          ]}
          value={view}
          onChange={setChosen}
        />
      )}
      {hasMethods && view === 'method' ? (
        <TryMethod name={name} />
      ) : (
        maySend && <TryRequest adapter={adapter} />
      )}
    </>
  );
}

function TryRequest({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name } = adapter;
  const { may, name: user } = useSession();
  const methods = permittedMethods(may);
  const [draft, setDraft] = useState<TestRequest>({
    ...initialRequest(adapter.type),
    method: methods[0] ?? 'QUERY',
  });
  const { result, isBusy, paths, send, cancel } = useTryRequest(name, user);
  return (
    <TryColumns
      isBusy={isBusy}
      onCancel={cancel}
      send={
        <SendButton
          name={name}
          draft={draft}
          isBusy={isBusy}
          onSend={() => void send(requestOf(name, draft), draft.path)}
        />
      }
      wanted={requestOf(name, draft)}
      reply={result && <TryReply result={result} isChange={isChange(draft.method)} />}
    >
      <RequestFields draft={draft} methods={methods} paths={paths} onChange={setDraft} />
    </TryColumns>
  );
}

/** Says that the adapter answers no call now, and why; nothing for an adapter that runs. */
function UnavailableNotice({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { name, state, suspended } = adapter;
  if (state === 'RUNNING' && suspended === null) return null;
  const why =
    suspended === 'paused'
      ? text('paused')
      : suspended === 'refusing'
        ? text('refusing')
        : text('notRunning');
  return (
    <Notice kind="warning" title={text('unavailable', { name })}>
      {why}
    </Notice>
  );
}

interface RequestFieldsProps {
  readonly draft: TestRequest;
  readonly methods: readonly string[];
  /** Paths of earlier requests through this adapter. */
  readonly paths: readonly string[];
  readonly onChange: (draft: TestRequest) => void;
}

function RequestFields({ draft, methods, paths, onChange }: RequestFieldsProps): ReactNode {
  const set = (name: keyof TestRequest) => (value: string) => onChange({ ...draft, [name]: value });
  const faults = requestFaults(draft);
  return (
    <>
      <SelectField
        label={text('method')}
        value={draft.method}
        onChange={set('method')}
        options={methods.map((value) => ({
          value,
          label: value === 'QUERY' ? text('query') : text('action', { method: value }),
        }))}
        help={draft.method === 'QUERY' ? text('queryHelp') : text('actionHelp')}
      />
      <TextField
        label={text('path')}
        value={draft.path}
        onChange={set('path')}
        isRequired
        suggestions={paths}
        placeholder="/restconf/data/ietf-interfaces:interfaces"
        {...(draft.path !== '' && faults.path !== undefined && { error: faults.path })}
      />
      <TextField label="Accept" suggestions={MEDIA_TYPES} value={draft.accept} onChange={set('accept')} />
      {isChange(draft.method) && (
        <>
          <TextField
            label="Content-Type"
            suggestions={MEDIA_TYPES}
            value={draft.contentType}
            onChange={set('contentType')}
          />
          <TextAreaField
            label={text('body')}
            isCode
            rows={10}
            value={draft.body}
            onChange={set('body')}
            help={text('bodyHelp')}
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
        {text('send')}
      </Button>
    );
  return (
    <ConfirmButton
      verb={text('sendMethod', { method: draft.method })}
      title={text('sendTitle', { method: draft.method, path: draft.path })}
      isDangerous={draft.method === 'DELETE'}
      isBusy={isBusy}
      isDisabled={isDisabled}
      onConfirm={onSend}
    >
      {text('sendWarning', { name })}
    </ConfirmButton>
  );
}
