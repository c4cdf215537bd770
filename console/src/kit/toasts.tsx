import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core/dist/esm/components/Alert';

interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'danger' | 'info';
  readonly text: string;
}

/** Shows the result of an action in a corner of the page; a success disappears after some seconds. */
export type ShowToast = (kind: Toast['kind'], text: string) => void;

const Saying = createContext<ShowToast>(() => undefined);

/** Returns the function that shows the result of an action that has no other place on the page. */
export function useSay(): ShowToast {
  return useContext(Saying);
}

/** Time until a success disappears, in milliseconds. */
const READING_MS = 6000;

/** Provides toasts to its children. */
export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const latest = useRef(0);
  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback<ShowToast>(
    (kind, text) => {
      const id = ++latest.current;
      setToasts((all) => [...all.slice(-4), { id, kind, text }]);
      if (kind !== 'danger') window.setTimeout(() => close(id), READING_MS);
    },
    [close],
  );
  return (
    <Saying.Provider value={useMemo(() => say, [say])}>
      {children}
      <AlertGroup isToast isLiveRegion aria-label="Messages">
        {toasts.map(({ id, kind, text }) => (
          <Alert
            key={id}
            variant={kind}
            title={text}
            actionClose={<AlertActionCloseButton onClose={() => close(id)} />}
          />
        ))}
      </AlertGroup>
    </Saying.Provider>
  );
}
