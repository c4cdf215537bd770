import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Actions, Panel } from '../../kit/page.js';
import { PathText } from '../../kit/path-text.js';
import { StatusLabel } from '../../kit/status.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import './configure.css';
import { referencesIn, type WrittenReference } from './references.js';
import { type ReferenceResult, useReferenceTests } from './use-reference-tests.js';

const text = textOf('configure');

interface TestReferencesProps {
  /** Name of the adapter, which may be new; empty until it has one. */
  readonly adapter: string;
  /** The settings, an object as JSON. */
  readonly settings: string;
}

/** Lists the references of settings, and tests whether Vault has a value for each of them. */
export function TestReferences({ adapter, settings }: TestReferencesProps): ReactNode {
  const { may } = useSession();
  const { isRunning, results, start } = useReferenceTests();
  if (!may('testSecret')) return null;
  const written = referencesIn(settings);
  const code = (children: ReactNode) => <code>{children}</code>;
  return (
    <Panel title={text('references')}>
      <div className="gh-stack">
        <p className="gh-quiet">{rich(text, 'referencesHelp', { code })}</p>
        {written.length > 0 && (
          <>
            <ul className="gh-references" aria-label={text('references')}>
              {written.map((one) => (
                <ReferenceLine key={one.reference} written={one} result={results.get(one.reference)} />
              ))}
            </ul>
            <Actions>
              <Button
                isBusy={isRunning}
                isDisabled={adapter === ''}
                onPress={() =>
                  start(
                    written.map(({ reference }) => reference),
                    adapter,
                  )
                }
              >
                {text('testReferences', { count: written.length })}
              </Button>
            </Actions>
            {adapter === '' && <p className="gh-quiet">{text('referencesNeedName')}</p>}
          </>
        )}
      </div>
    </Panel>
  );
}

interface LineProps {
  readonly written: WrittenReference;
  readonly result: ReferenceResult | undefined;
}

function ReferenceLine({ written: { reference, place }, result }: LineProps): ReactNode {
  return (
    <li>
      <div>
        <PathText path={reference} />
        <p className="gh-quiet gh-wrap">{place}</p>
      </div>
      <div role="status" className="gh-stack">
        {result && <Result result={result} />}
      </div>
    </li>
  );
}

function Result({ result }: { readonly result: ReferenceResult }): ReactNode {
  switch (result.kind) {
    case 'waiting':
    case 'running':
      return <StatusLabel status="busy">{text('referenceTesting')}</StatusLabel>;
    case 'ok':
      return <StatusLabel status="good">{text('referenceOk')}</StatusLabel>;
    case 'missing':
      return (
        <>
          <StatusLabel status="bad">{text('referenceMissing')}</StatusLabel>
          {result.cause !== null && <p>{result.cause}</p>}
          {result.fix !== null && <p className="gh-quiet">{result.fix}</p>}
        </>
      );
    case 'refused':
      return <Refused problem={result.problem} />;
  }
}

/** Shows why the server did not ask Vault. */
function Refused({ problem }: { readonly problem: ApiProblem }): ReactNode {
  const [error] = problem.errors;
  return (
    <>
      <StatusLabel status="warning">{text('referenceNotTested')}</StatusLabel>
      <p>{error ? causeOf(error) : problem.message}</p>
      {error && problem.recommendation !== undefined && <p className="gh-quiet">{problem.recommendation}</p>}
    </>
  );
}

function causeOf({ pointer, message }: { readonly pointer: string; readonly message: string }): string {
  return text(pointer === '/adapter' ? 'adapterRefused' : 'referenceRefused', { cause: message });
}
