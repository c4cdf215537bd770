import { type ReactNode, useEffect, useRef } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';

const text = textOf('try');

/** A method of an adapter, as the API lists it. */
export interface MethodView {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly input: Schema;
  readonly effect?: 'read' | 'change' | 'delete';
  readonly tags?: readonly string[];
}

/** Reply of `GET /adapters/:name/methods`. */
export interface MethodList {
  readonly results: readonly MethodView[];
  readonly total: number;
}

/** Returns the path of the methods of an adapter. */
export function methodsPath(adapter: string, query: Readonly<Record<string, string | number>>): string {
  return pathOf(['adapters', adapter, 'methods'], query);
}

/** Number of methods that the field suggests. */
const SUGGESTED = 25;

interface MethodFieldProps {
  readonly adapter: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Called when the typed name becomes that of a method, or no longer is one. */
  readonly onMethod: (method: MethodView | undefined) => void;
}

/** A field for the name of a method, which suggests those that contain the typed text. */
export function MethodField({ adapter, value, onChange, onMethod }: MethodFieldProps): ReactNode {
  const isSimilar = () => true;
  const similar = useRead<MethodList>(methodsPath(adapter, { contains: value, limit: SUGGESTED }), {
    isSimilar,
  });
  const exact = useRead<MethodList>(methodsPath(adapter, { equals: value, limit: 1 }), {
    enabled: value !== '',
  });
  const found = value === '' ? undefined : exact.data?.results[0];
  const report = useRef(onMethod);
  report.current = onMethod;
  useEffect(() => report.current(found), [found]);
  const names = similar.data?.results.map(({ name }) => name) ?? [];
  const isUnknown = value !== '' && exact.data !== undefined && !found;
  return (
    <>
      <TextField
        label={text('adapterMethod')}
        value={value}
        onChange={onChange}
        isRequired
        suggestions={names}
        help={text('adapterMethod.help', { count: similar.data?.total ?? 0 })}
        {...(isUnknown && names.length === 0 && { error: text('adapterMethod.none') })}
      />
      {found && (
        <p>
          {found.summary} <span className="gh-quiet">{detailsOf(found)}</span>
        </p>
      )}
    </>
  );
}

function detailsOf({ description = '', effect = 'change', tags = [] }: MethodView): string {
  return [description, text(`effect.${effect}`), tags.join(', ')].filter((part) => part !== '').join(' · ');
}
