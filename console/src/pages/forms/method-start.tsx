import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { TextField } from '../../kit/fields.js';
import { textOf } from '../../text/text.js';
import { MethodField, type MethodView } from '../adapters/method-field.js';

const text = textOf('forms');

interface MethodStartProps {
  /** Called with the method whose arguments the form is for. */
  readonly onMethod: (adapter: string, method: MethodView | undefined) => void;
}

/** Renders the choice of an adapter and its method. */
export function MethodStart({ onMethod }: MethodStartProps): ReactNode {
  const [adapter, setAdapter] = useState('');
  const [method, setMethod] = useState('');
  const adapters = useRead<{ readonly results: readonly { readonly data: { readonly name: string } }[] }>(
    '/adapters?limit=1000',
  );
  const names = adapters.data?.results.map(({ data }) => data.name) ?? [];
  return (
    <>
      <TextField label={text('adapter')} value={adapter} onChange={setAdapter} suggestions={names} />
      {names.includes(adapter) && (
        <MethodField
          adapter={adapter}
          value={method}
          onChange={setMethod}
          onMethod={(found) => onMethod(adapter, found)}
        />
      )}
      <p className="gh-quiet">{text('methodHelp')}</p>
    </>
  );
}
