import { type ReactNode, type SyntheticEvent, useDeferredValue, useRef } from 'react';
import type { ObservedCall } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { placeholderFields } from '../../design/placeholders.js';
import type { QueryBinding } from '../../design/query-bindings.js';
import { SelectField, TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import { ReplyFields } from './reply-fields.js';
import type { Design } from './use-design.js';

const text = textOf('designer');

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
  const caret = useRef<number>(undefined);
  const trackCaret = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLInputElement) caret.current = target.selectionStart ?? undefined;
  };
  const fields = placeholderFields(design.draft, design.selected);
  const insert = (placeholder: string) => {
    const at = Math.min(caret.current ?? path.length, path.length);
    caret.current = undefined;
    onChange({ ...binding, path: `${path.slice(0, at)}{${placeholder}}${path.slice(at)}` });
  };
  return (
    <div className="gh-condition" role="group" aria-label={text('choicesQuery')}>
      <TextField
        label={text('adapter')}
        value={adapter}
        suggestions={adapters}
        onChange={(name) => onChange({ ...binding, adapter: name.trim() })}
      />
      <div onKeyUp={trackCaret} onPointerUp={trackCaret} onBlur={trackCaret}>
        <TextField
          label={text('path')}
          value={path}
          suggestions={paths}
          onChange={(next) => onChange({ ...binding, path: next.trim() })}
          help={text('pathHelp')}
        />
      </div>
      {fields.length > 0 && (
        <SelectField
          label={text('dependsOn')}
          value=""
          options={[
            { value: '', label: text('dependsOnChoose') },
            ...fields.map(({ placeholder, title }) => ({
              value: placeholder,
              label: text('dependsOnField', { title, placeholder }),
            })),
          ]}
          onChange={(placeholder) => placeholder !== '' && insert(placeholder)}
          help={text('dependsOnHelp')}
        />
      )}
      <ReplyFields key={adapter} binding={binding} onChange={onChange} />
    </div>
  );
}

interface Adapters {
  readonly results: readonly { readonly data: { readonly name: string } }[];
}

/** Number of adapters that are offered for what is typed. */
const MAX_ADAPTERS = 50;

/** Returns the names of adapters that contain the typed text. */
function useAdapterNames(typed: string): readonly string[] {
  const contains = useDeferredValue(typed);
  const { data } = useRead<Adapters>(
    pathOf(['adapters'], { contains, containsField: 'name', limit: MAX_ADAPTERS }),
    { enabled: useSession().may('getAdapters') },
  );
  return (data?.results ?? []).map(({ data: { name } }) => name);
}

/** Number of paths that are offered. */
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
