import type { ReactNode } from 'react';
import { pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Failure } from '../../kit/feedback.js';
import { Actions, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { ConnectionResult } from './connection-result.js';
import { useConnectionTest } from './use-connection-test.js';

const text = textOf('configure');

/** Tests the connection of an adapter of the configuration, and shows the five steps. */
export function TestConnection({ name }: { readonly name: string }): ReactNode {
  const { isRunning, result, problem, start, cancel } = useConnectionTest();
  const begin = () => start({ method: 'POST', path: pathOf(['adapters', name, 'connection-test']) });
  return (
    <Panel title={text('testTitle')}>
      <div className="gh-stack">
        <p className="gh-quiet" role="status">
          {isRunning ? text('testing') : text('testSavedHelp')}
        </p>
        <Actions>
          <Button isBusy={isRunning} onPress={begin}>
            {result || problem ? text('testAgain') : text('testConnection')}
          </Button>
          {isRunning && <Button onPress={cancel}>{text('cancelTest')}</Button>}
        </Actions>
        {problem && <Failure problem={problem} />}
        {result && <ConnectionResult test={result} />}
      </div>
    </Panel>
  );
}
