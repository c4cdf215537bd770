import { type ReactNode, useState } from 'react';
import type { ApiRequest } from '../../api/request.js';
import { Button, SubmitButton } from '../../kit/button.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { CheckField, EntryForm, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { Actions, FieldGrid, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { masked } from './masked.js';
import { type Draft, type DraftFaults, readDraft, type RestCallBody } from './rest-call.js';

const text = textOf('rest');

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));

interface ComposerProps {
  readonly draft: Draft;
  readonly isBusy: boolean;
  /** URIs that the field suggests. */
  readonly uris: readonly string[];
  readonly onChange: (draft: Draft) => void;
  readonly onSend: (body: RestCallBody) => void;
  readonly onCancel: () => void;
}

/** Renders the editor of a request. */
export function Composer(props: ComposerProps): ReactNode {
  const { draft, isBusy, uris, onChange, onSend, onCancel } = props;
  const [faults, setFaults] = useState<DraftFaults>({});
  const set = (changes: Partial<Draft>) => {
    onChange({ ...draft, ...changes });
    setFaults({});
  };
  const read = readDraft(draft);
  const send = () => {
    if ('faults' in read) setFaults(read.faults);
    else onSend(read.body);
  };
  return (
    <Panel title={text('request')} actions={'body' in read && <CopyAsCurl wanted={requestOf(read.body)} />}>
      <EntryForm label={text('request')} onSubmit={send}>
        <div className="gh-verb-and-uri">
          <SelectField
            label={text('method')}
            value={draft.verb}
            onChange={(verb) => set({ verb })}
            options={VERBS}
          />
          <TextField
            label={text('uri')}
            type="url"
            value={draft.uri}
            onChange={(uri) => set({ uri })}
            placeholder="https://inventory.example/devices/r1"
            suggestions={uris}
            isRequired
            {...(faults.uri !== undefined && { error: faults.uri })}
          />
        </div>
        <TextAreaField
          label={text('headers')}
          isCode
          rows={3}
          value={draft.headers}
          onChange={(headers) => set({ headers })}
          help={text('headers.help')}
          {...(faults.headers !== undefined && { error: faults.headers })}
        />
        <TextAreaField
          label={text('body')}
          isCode
          rows={5}
          value={draft.body}
          onChange={(body) => set({ body })}
          help={text('body.help')}
          {...(faults.body !== undefined && { error: faults.body })}
        />
        <FieldGrid>
          <TextField
            label={text('user')}
            value={draft.user}
            onChange={(user) => set({ user })}
            autoComplete="off"
            help={text('user.help')}
          />
          <TextField
            label={text('password')}
            type="password"
            value={draft.password}
            onChange={(password) => set({ password })}
            autoComplete="new-password"
            help={text('password.help')}
          />
        </FieldGrid>
        <CheckField
          label={text('responseHeaders')}
          isChecked={draft.responseHeaders}
          onChange={(responseHeaders) => set({ responseHeaders })}
        />
        <Actions>
          <SubmitButton isBusy={isBusy}>{text('send')}</SubmitButton>
          {isBusy && <Button onPress={onCancel}>{text('cancel')}</Button>}
        </Actions>
      </EntryForm>
    </Panel>
  );
}

/** Returns the request to gatehouse without secrets; the reader fills them in. */
function requestOf(body: RestCallBody): ApiRequest {
  return { method: 'POST', path: '/tools/restCall', body: masked(body) };
}
