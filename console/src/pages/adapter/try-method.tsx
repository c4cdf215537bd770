import { type ReactNode, useState } from 'react';
import { type ApiRequest, pathOf } from '../../api/api-request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmButton } from '../../kit/dialog.js';
import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';
import { MethodField, type MethodView } from '../adapters/method-field.js';
import { BodyField } from '../api/body-field.js';
import { TryColumns } from './try-columns.js';
import { TryReply } from './try-reply.js';
import { useTryRequest } from './use-try-request.js';

const text = textOf('try');

/** Calls a method of an adapter: the arguments are a form by its schema, or JSON. */
export function TryMethod({ name }: { readonly name: string }): ReactNode {
  const { name: user } = useSession();
  const [typed, setTyped] = useState('');
  const [method, setMethod] = useState<MethodView>();
  const [json, setJson] = useState('{}');
  const { result, isBusy, send, cancel } = useTryRequest(name, user);
  const fault = faultOfObject(json);
  const wanted = method && fault === undefined ? callOf(name, method, json) : undefined;
  const isRead = method?.effect === 'read';
  return (
    <TryColumns
      isBusy={isBusy}
      onCancel={cancel}
      wanted={wanted}
      send={
        <CallButton
          adapter={name}
          method={method}
          isBusy={isBusy}
          isDisabled={!wanted}
          onCall={() => wanted && void send(wanted)}
        />
      }
      reply={result && <TryReply result={result} isChange={!isRead} />}
    >
      <MethodField
        adapter={name}
        value={typed}
        onChange={setTyped}
        onMethod={(found) => {
          if (found?.name !== method?.name) setJson('{}');
          setMethod(found);
        }}
      />
      {method && (
        <BodyField
          key={method.name}
          schema={method.input}
          title={text('arguments')}
          text={json}
          onChange={setJson}
          fault={fault}
          {...(result?.problem && { errors: result.problem.errors })}
        />
      )}
    </TryColumns>
  );
}

/** Returns the request that calls a method. The arguments are sent as written, so that long numbers keep their digits. */
function callOf(adapter: string, { name }: MethodView, json: string): ApiRequest {
  return { method: 'POST', path: pathOf(['adapters', adapter, 'call', name]), json };
}

interface CallButtonProps {
  readonly adapter: string;
  readonly method: MethodView | undefined;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onCall: () => void;
}

/** Calls a method that only reads at once, and any other after a question. */
function CallButton({ adapter, method, isBusy, isDisabled, onCall }: CallButtonProps): ReactNode {
  if (!method || method.effect === 'read')
    return (
      <Button kind="primary" isBusy={isBusy} isDisabled={isDisabled} onPress={onCall}>
        {text('call')}
      </Button>
    );
  return (
    <ConfirmButton
      verb={text('call')}
      title={text('callTitle', { method: method.name })}
      isDangerous={method.effect === 'delete'}
      isBusy={isBusy}
      isDisabled={isDisabled}
      onConfirm={onCall}
    >
      {text('sendWarning', { name: adapter })}
    </ConfirmButton>
  );
}
