import { Component, type ReactNode } from 'react';

export interface GuardProps {
  readonly children: ReactNode;
  /** Shown in place of children that cannot be rendered. */
  readonly broken: (error: Error) => ReactNode;
}

/** Error boundary: an error in one part does not break the whole page. A class, because React requires it. */
export class Guard extends Component<GuardProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.broken(error) : this.props.children;
  }
}
