/** Severity of a state. */
export type Status = 'good' | 'warning' | 'bad' | 'busy' | 'off';
