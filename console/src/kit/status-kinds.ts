/** How something stands. */
export type Status = 'good' | 'warning' | 'bad' | 'busy' | 'off';
