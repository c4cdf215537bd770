import { type ReactNode, useDeferredValue, useState } from 'react';
import { type FilledPath, fillPath, placeholdersOf } from '../../../../src/form-model/form-binding.js';
import { isJsonObject } from '../../../../src/json/json-object.js';
import { valueAt } from '../../../../src/json/pointer.js';
import type { ObservedCall } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf, request } from '../../api/request.js';
import { useOperation } from '../../api/use-operation.js';
import { useSession } from '../../app/session.js';
import { text } from '../../design/designer-text.js';
import { placeholderFields } from '../../design/placeholders.js';
import {
  isComplete,
  listsIn,
  type QueryBinding,
  queryOf,
  type ReplyList,
} from '../../design/query-bindings.js';
import { Button } from '../../kit/button.js';
import { Failure } from '../../kit/feedback.js';
import { SelectField, TextField } from '../../kit/fields.js';
import { InsertField } from './insert-field.js';
import type { Design } from './use-design.js';

interface QueryFieldsProps {
  readonly design: Design;
  readonly binding: QueryBinding;
  readonly onChange: (binding: QueryBinding) => void;
}

/** Renders the adapter and the path of a query, the fields that it depends on, and the parts of its reply. */
export function QueryFields({ design, binding, onChange }: QueryFieldsProps): ReactNode {
  const { adapter, path } = binding;
  const adapters = useAdapterNames(adapter);
  const paths = usePathSuggestions(adapter);
  const fields = placeholderFields(design.draft, design.selected).map((field) => ({
    ...field,
    inserted: `{${field.placeholder}}`,
  }));
  return (
    <div className="gh-condition" role="group" aria-label={text('choicesQuery')}>
      <TextField
        label={text('adapter')}
        value={adapter}
        suggestions={adapters}
        onChange={(name) => onChange({ ...binding, adapter: name.trim() })}
      />
      <InsertField
        label={text('dependsOn')}
        hint={text('dependsOnChoose')}
        help={text('dependsOnHelp')}
        fields={fields}
        value={path}
        onChange={(next) => onChange({ ...binding, path: next })}
      >
        <TextField
          label={text('path')}
          value={path}
          suggestions={paths}
          onChange={(next) => onChange({ ...binding, path: next.trim() })}
          help={text('pathHelp')}
        />
      </InsertField>
      <ReplyFields key={adapter} binding={binding} onChange={onChange} />
    </div>
  );
}

interface Adapters {
  readonly results: readonly { readonly data: { readonly name: string } }[];
}

/** Number of adapters that are offered for what is typed. */
const MAX_ADAPTERS = 50;

function useAdapterNames(typed: string): readonly string[] {
  const contains = useDeferredValue(typed);
  const { data } = useRead<Adapters>(
    pathOf(['adapters'], { contains, containsField: 'name', limit: MAX_ADAPTERS }),
    { enabled: useSession().may('getAdapters') },
  );
  return (data?.results ?? []).map(({ data: { name } }) => name);
}

const MAX_PATHS = 50;

/** Returns the paths of the latest successful GET requests through an adapter, each once, the latest first. */
function usePathSuggestions(adapter: string): readonly string[] {
  const mayRead = useSession().may('getCalls');
  const { data } = useRead<{ readonly calls: readonly ObservedCall[] }>(
    pathOf(['console', 'calls'], { adapter, limit: 1000 }),
    { enabled: mayRead && adapter !== '' },
  );
  const paths = (data?.calls ?? []).flatMap(({ about, status }) => {
    const [, path] = /^GET (\/\S*)$/.exec(about ?? '') ?? [];
    return path !== undefined && status < 300 ? [path] : [];
  });
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

interface ReplyFieldsProps {
  readonly binding: QueryBinding;
  readonly onChange: (binding: QueryBinding) => void;
}

/** Renders which parts of a reply are the choices: chosen from a real reply, or written as JSON pointers. */
function ReplyFields({ binding, onChange }: ReplyFieldsProps): ReactNode {
  const mayQuery = useSession().may('restQuery');
  const [lists, setLists] = useState<readonly ReplyList[]>();
  const { isBusy, problem, run } = useOperation(() => setLists(undefined));
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({});
  const { adapter } = binding;
  const filled = fillPath(binding.path, samples);
  const send = async () => {
    if (!('path' in filled)) return;
    const path = pathOf(['orchestrator_manager', 'restQuery', adapter]);
    const body = queryOf({ ...binding, path: filled.path });
    const found = listsIn((await request({ method: 'POST', path, body })).data);
    setLists(found);
    const [first] = found;
    if (first && !found.some(({ pointer }) => pointer === binding.values)) onChange(withList(binding, first));
  };
  return (
    <>
      {mayQuery && (
        <SampleFields path={binding.path} samples={samples} filled={filled} onChange={setSamples} />
      )}
      {mayQuery && (
        // The button is not disabled meanwhile, because it would lose the focus.
        <Button
          isSmall
          isDisabled={!isComplete(binding) || !('path' in filled)}
          onPress={() => void run(send)}
        >
          {text(isBusy ? 'replyLoading' : 'showReply')}
        </Button>
      )}
      {problem && <Failure problem={problem} />}
      {lists?.length === 0 && <p role="status">{text('replyWithoutList')}</p>}
      {lists && lists.length > 0 ? (
        <ReplyChoices lists={lists} binding={binding} onChange={onChange} />
      ) : (
        <PointerFields binding={binding} onChange={onChange} />
      )}
    </>
  );
}

interface SampleFieldsProps {
  readonly path: string;
  readonly samples: Readonly<Record<string, string>>;
  readonly filled: FilledPath;
  readonly onChange: (samples: Readonly<Record<string, string>>) => void;
}

/** Renders a sample value for each field that the query depends on, for the preview of the reply alone. */
function SampleFields({ path, samples, filled, onChange }: SampleFieldsProps): ReactNode {
  const fault = (pointer: string): string | undefined =>
    'pointer' in filled && filled.pointer === pointer && (samples[pointer] ?? '') !== ''
      ? text('sampleRefused')
      : undefined;
  return placeholdersOf(path).map((pointer) => {
    const error = fault(pointer);
    return (
      <TextField
        key={pointer}
        label={text('sample', { pointer })}
        value={samples[pointer] ?? ''}
        onChange={(value) => onChange({ ...samples, [pointer]: value })}
        help={text('sampleHelp')}
        {...(error !== undefined && { error })}
      />
    );
  });
}

function withList(binding: QueryBinding, { pointer, members }: ReplyList): QueryBinding {
  const has = (member: string) => members.some((one) => one.pointer === member);
  const value = has(binding.value) ? binding.value : (members[0]?.pointer ?? binding.value);
  return { ...binding, values: pointer, value, label: has(binding.label) ? binding.label : value };
}

function PointerFields({ binding, onChange }: ReplyFieldsProps): ReactNode {
  return (
    <>
      {(['values', 'value', 'label'] as const).map((part) => (
        <TextField
          key={part}
          label={text(part === 'values' ? 'replyList' : part === 'value' ? 'replyValue' : 'replyLabel')}
          value={binding[part]}
          onChange={(pointer) => onChange({ ...binding, [part]: pointer })}
          help={text('pointerHelp')}
        />
      ))}
    </>
  );
}

/** Number of choices that the preview shows. */
const MAX_SHOWN = 5;

function ReplyChoices({
  lists,
  binding,
  onChange,
}: ReplyFieldsProps & { readonly lists: readonly ReplyList[] }): ReactNode {
  const list = lists.find(({ pointer }) => pointer === binding.values) ?? lists[0];
  if (!list) return null;
  const { members, entries } = list;
  const options = members.map(({ pointer, example }) => ({
    value: pointer,
    label: text('replyMember', { name: pointer.slice(1), example }),
  }));
  return (
    <>
      <SelectField
        label={text('replyList')}
        value={list.pointer}
        options={lists.map(({ pointer }) => ({ value: pointer, label: pointer || text('wholeReply') }))}
        onChange={(pointer) => {
          const chosen = lists.find((one) => one.pointer === pointer);
          if (chosen) onChange(withList(binding, chosen));
        }}
      />
      {members.length > 0 && (
        <>
          <SelectField
            label={text('replyValue')}
            value={binding.value}
            options={options}
            onChange={(value) => onChange({ ...binding, value })}
          />
          <SelectField
            label={text('replyLabel')}
            value={binding.label}
            options={options}
            onChange={(label) => onChange({ ...binding, label })}
          />
        </>
      )}
      <p className="gh-quiet" role="status">
        {text('replyChoices', {
          count: entries.length,
          choices: entries
            .slice(0, MAX_SHOWN)
            .map((entry) => choiceText(entry, binding))
            .join(', '),
        })}
      </p>
    </>
  );
}

function choiceText(entry: unknown, { value, label }: QueryBinding): string {
  const shown = isJsonObject(entry) ? (valueAt(entry, label) ?? valueAt(entry, value)) : entry;
  return typeof shown === 'string' ? shown : JSON.stringify(shown ?? null);
}
