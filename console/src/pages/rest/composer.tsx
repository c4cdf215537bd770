import { type ReactNode, useState } from 'react';
import type { ApiRequest } from '../../api/request.js';
import { SubmitButton } from '../../kit/button.js';
import { CheckField, EntryForm, SelectField, TextAreaField, TextField } from '../../kit/fields.js';
import { Actions, FieldGrid, Panel } from '../../kit/page.js';
import { CopyAsCurl } from '../../kit/copy.js';
import { masked } from './masked.js';
import { type Draft, type DraftFaults, readDraft, type RestCallBody } from './rest-call.js';

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));

export interface ComposerProps {
  readonly draft: Draft;
  readonly isBusy: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onSend: (body: RestCallBody) => void;
}

/** Renders the editor of a request. */
export function Composer({ draft, isBusy, onChange, onSend }: ComposerProps): ReactNode {
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
    <Panel title="Request" actions={'body' in read && <CopyAsCurl wanted={requestOf(read.body)} />}>
      <EntryForm label="Request" onSubmit={send}>
        <div className="gh-verb-and-uri">
          <SelectField label="Method" value={draft.verb} onChange={(verb) => set({ verb })} options={VERBS} />
          <TextField
            label="URI"
            type="url"
            value={draft.uri}
            onChange={(uri) => set({ uri })}
            placeholder="https://inventory.example/devices/r1"
            isRequired
            {...(faults.uri !== undefined && { error: faults.uri })}
          />
        </div>
        <TextAreaField
          label="Headers"
          isCode
          rows={3}
          value={draft.headers}
          onChange={(headers) => set({ headers })}
          help="One per line, for example Accept: application/yang-data+json"
          {...(faults.headers !== undefined && { error: faults.headers })}
        />
        <TextAreaField
          label="Body"
          isCode
          rows={5}
          value={draft.body}
          onChange={(body) => set({ body })}
          help="A JSON object. Leave empty to send no body."
          {...(faults.body !== undefined && { error: faults.body })}
        />
        <FieldGrid>
          <TextField
            label="User"
            value={draft.user}
            onChange={(user) => set({ user })}
            autoComplete="off"
            help="Sent to the target as HTTP Basic authentication"
          />
          <TextField
            label="Password"
            type="password"
            value={draft.password}
            onChange={(password) => set({ password })}
            autoComplete="new-password"
            help="Never stored"
          />
        </FieldGrid>
        <CheckField
          label="Show status and headers of the response"
          isChecked={draft.responseHeaders}
          onChange={(responseHeaders) => set({ responseHeaders })}
        />
        <Actions>
          <SubmitButton isBusy={isBusy}>Send</SubmitButton>
        </Actions>
      </EntryForm>
    </Panel>
  );
}

/** Returns the request to gatehouse without secrets; the reader fills them in. */
function requestOf(body: RestCallBody): ApiRequest {
  return { method: 'POST', path: '/tools/restCall', body: masked(body) };
}
